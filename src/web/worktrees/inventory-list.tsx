import type { ReactNode } from 'react';
import type { Commit, Inventory } from '../../protocol/index.js';
import { PathText, PlainText } from '../changes/plain-text.js';
import { Icon, type IconName } from '../parts/icon.js';
import { formatAge } from '../session/age.js';
import { countText, fileFacts, operationText } from './inventory-words.js';

interface InventoryListProps {
  readonly inventory: Inventory;
  /** Of the worktree, short. */
  readonly path: string;
}

/** All that a worktree holds, and which of it exists nowhere else. */
export function InventoryList({ inventory, path }: InventoryListProps) {
  const { files, files_total, nested_repositories, dirty_submodules, operation, broken } = inventory;
  return (
    <div className="inv">
      <Head icon="folder" note={broken === undefined ? countText(files_total, 'file') : undefined}>
        <span className="mono">
          <PathText path={path} />
        </span>
      </Head>
      {broken !== undefined && <Rows>{[<Row key="broken" kind="broken" text={<PlainText text={broken} />} />]}</Rows>}
      <Rows more={files_total - files.length}>
        {files.map((file) => (
          <Row key={`${file.kind} ${file.path}`} kind={file.kind} text={<Path path={file.path} />} fact={fileFacts(file)} />
        ))}
      </Rows>
      <Paths icon="folder" kind="repository" paths={nested_repositories} title="Repositories of their own, which no salvage can hold" />
      <Paths icon="folder" kind="submodule" paths={dirty_submodules} title="Submodules with work that no salvage can hold" />
      <Commits {...detached(inventory)} />
      <Commits {...onBranch(inventory)} />
      {operation !== undefined && <Head icon="branch">{`${capital(operationText(operation))}, not finished and not given up`}</Head>}
    </div>
  );
}

interface CommitsProps {
  readonly commits: readonly Commit[];
  readonly total: number;
  readonly title: ReactNode;
}

function detached({ detached_commits, detached_commits_total }: Inventory): CommitsProps {
  const title = `${countText(detached_commits_total, 'commit')} that no branch holds`;
  return { commits: detached_commits, total: detached_commits_total, title };
}

function onBranch({ branch, branch_commits, branch_commits_total }: Inventory): CommitsProps {
  const title = (
    <>
      {`${countText(branch_commits_total, 'commit')} on `}
      <span className="mono">
        <PlainText text={branch ?? 'the branch'} />
      </span>
      {', which is kept'}
    </>
  );
  return { commits: branch_commits, total: branch_commits_total, title };
}

function Commits({ commits, total, title }: CommitsProps) {
  if (total === 0) return null;
  return (
    <>
      <Head icon="branch">{title}</Head>
      <Rows more={total - commits.length}>
        {commits.map(({ id, subject, at }) => (
          <Row
            key={id}
            kind={<span className="mono">{id.slice(0, 7)}</span>}
            text={<PlainText text={subject} />}
            fact={formatAge(Date.now() - Date.parse(at))}
          />
        ))}
      </Rows>
    </>
  );
}

interface PathsProps {
  readonly icon: IconName;
  readonly kind: string;
  readonly paths: readonly string[];
  readonly title: string;
}

function Paths({ icon, kind, paths, title }: PathsProps) {
  if (paths.length === 0) return null;
  return (
    <>
      <Head icon={icon}>{title}</Head>
      <Rows>
        {paths.map((path) => (
          <Row key={path} kind={kind} text={<Path path={path} />} />
        ))}
      </Rows>
    </>
  );
}

function Head({ icon, note, children }: { icon: IconName; note?: string | undefined; children: ReactNode }) {
  return (
    <div className="inv__head">
      <Icon name={icon} small />
      <span className="grow">{children}</span>
      {note !== undefined && <span className="fg3 num">{note}</span>}
    </div>
  );
}

function Rows({ more = 0, children }: { more?: number; children: readonly ReactNode[] }) {
  if (children.length === 0 && more <= 0) return null;
  return (
    <ul className="inv__rows">
      {children}
      {more > 0 && <li className="inv__more fg3">{`and ${more} more`}</li>}
    </ul>
  );
}

function Row({ kind, text, fact = '' }: { kind: ReactNode; text: ReactNode; fact?: string }) {
  return (
    <li className="inv__row">
      <span className="inv__kind">{kind}</span>
      <span className="clip">{text}</span>
      <span className="fg3 num">{fact}</span>
    </li>
  );
}

function Path({ path }: { path: string }) {
  return (
    <span className="mono">
      <PathText path={path} />
    </span>
  );
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
