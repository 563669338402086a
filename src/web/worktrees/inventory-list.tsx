import type { ReactNode } from 'react';
import type { Commit, Inventory } from '../../protocol/index.js';
import { PathText, PlainText } from '../changes/plain-text.js';
import { Icon, type IconName } from '../parts/icon.js';
import { formatAge } from '../session/age.js';
import { text } from '../text/text.js';
import { fileFacts } from './inventory-words.js';

interface InventoryListProps {
  readonly inventory: Inventory;
  /** Of the worktree, short. */
  readonly path: string;
}

/** All that a worktree holds, and which of it exists nowhere else. */
export function InventoryList({ inventory, path }: InventoryListProps) {
  const { files, files_total, nested_repositories, dirty_submodules, operation, broken } = inventory;
  const { kinds, nestedRepositories, submodules } = text.worktrees;
  return (
    <div className="inv">
      <Head icon="folder" note={broken === undefined ? text.worktrees.count.files(files_total) : undefined}>
        <span className="mono">
          <PathText path={path} />
        </span>
      </Head>
      {broken !== undefined && <Rows>{[<Row key="broken" kind={kinds.broken} text={<PlainText text={broken} />} />]}</Rows>}
      <Rows more={files_total - files.length}>
        {files.map((file) => (
          <Row key={`${file.kind} ${file.path}`} kind={kinds[file.kind]} text={<Path path={file.path} />} fact={fileFacts(file)} />
        ))}
      </Rows>
      <Paths icon="folder" kind={kinds.repository} paths={nested_repositories} title={nestedRepositories} />
      <Paths icon="folder" kind={kinds.submodule} paths={dirty_submodules} title={submodules} />
      <Commits {...detached(inventory)} />
      <Commits {...onBranch(inventory)} />
      {operation !== undefined && <Head icon="branch">{text.worktrees.unfinished(text.worktrees.operations[operation])}</Head>}
    </div>
  );
}

interface CommitsProps {
  readonly commits: readonly Commit[];
  readonly total: number;
  readonly title: ReactNode;
}

function detached({ detached_commits, detached_commits_total }: Inventory): CommitsProps {
  const title = text.worktrees.commitsNowhere(detached_commits_total);
  return { commits: detached_commits, total: detached_commits_total, title };
}

function onBranch({ branch, branch_commits, branch_commits_total }: Inventory): CommitsProps {
  const name = (
    <span className="mono">
      <PlainText text={branch ?? text.worktrees.theBranch} />
    </span>
  );
  return { commits: branch_commits, total: branch_commits_total, title: text.worktrees.commitsOn(branch_commits_total, name) };
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
      {more > 0 && <li className="inv__more fg3">{text.worktrees.more(more)}</li>}
    </ul>
  );
}

function Row({ kind, text: words, fact = '' }: { kind: ReactNode; text: ReactNode; fact?: string }) {
  return (
    <li className="inv__row">
      <span className="inv__kind">{kind}</span>
      <span className="clip">{words}</span>
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
