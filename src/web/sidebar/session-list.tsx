import { useRef } from 'react';
import { usePageParts } from '../app/parts-context.js';
import { useHost, usePresets } from '../app/use-host.js';
import { Glyph } from '../parts/glyph.js';
import { Icon } from '../parts/icon.js';
import { useStore } from '../parts/store.js';
import { visibleText } from '../parts/visible-text.js';
import { shortPath } from '../session/project.js';
import type { SessionGroup } from '../session/session-order.js';
import { endedWell } from '../session/session-state.js';
import { text } from '../text/text.js';
import { SessionRow } from './session-row.js';
import { useRowMotion } from './use-row-motion.js';

interface SessionListProps {
  readonly groups: readonly SessionGroup[];
  readonly currentId: string | undefined;
  /** Shows folded projects too: the user looks for something. */
  readonly unfolded: boolean;
  /** The keys that lead to the next session that waits. */
  readonly nextChord: string | undefined;
  /** The pointer or the focus is in the list, or has left it. */
  readonly onTouch: (inside: boolean) => void;
}

export function SessionList({ groups, currentId, unfolded, nextChord, onTouch }: SessionListProps) {
  const ref = useRef<HTMLElement>(null);
  useRowMotion(ref, groups);
  return (
    <nav
      ref={ref}
      className="side__list"
      aria-label={text.sidebar.byProject}
      onPointerEnter={(event) => onTouch(event.pointerType === 'mouse')}
      onPointerLeave={() => onTouch(false)}
      onFocus={() => onTouch(true)}
      onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || onTouch(false)}
    >
      {groups.map((group) =>
        group.project === undefined ? (
          <WaitingGroup key={group.key} group={group} currentId={currentId} nextChord={nextChord} />
        ) : (
          <ProjectGroup key={group.key} group={group} project={group.project} currentId={currentId} unfolded={unfolded} />
        ),
      )}
    </nav>
  );
}

interface GroupProps {
  readonly group: SessionGroup;
  readonly currentId: string | undefined;
}

function WaitingGroup({ group, currentId, nextChord }: GroupProps & { nextChord: string | undefined }) {
  return (
    <section className="group">
      <h2 className="group__head group__head--waiting">
        {text.session.waitsForYou}
        {nextChord !== undefined && (
          <span className="group__roll desk-only">
            {text.sidebar.next} <kbd className="kbd">{nextChord}</kbd>
          </span>
        )}
      </h2>
      <Rows group={group} currentId={currentId} />
    </section>
  );
}

interface ProjectGroupProps extends GroupProps {
  readonly project: NonNullable<SessionGroup['project']>;
  readonly unfolded: boolean;
}

function ProjectGroup({ group, project, currentId, unfolded }: ProjectGroupProps) {
  const { folded } = usePageParts().preferences;
  const home = useHost()?.home;
  const isFolded = useStore(folded).includes(group.key) && !unfolded;
  const toggle = () => folded.set(isFolded ? folded.value.filter((key) => key !== group.key) : [...folded.value, group.key]);
  const { state, seen, session } = group.first;
  return (
    <section className="group">
      <h2>
        <button type="button" className="group__head" aria-expanded={!isFolded} onClick={toggle} title={visibleText(project.path)}>
          <Icon name="down" className="chev" />
          <span className="group__name clip">{project.name}</span>
          <span className="group__path clip">{visibleText(shortPath(project.path, home))}</span>
          <span className="group__roll">
            <Glyph state={state} quiet={seen || endedWell(session)} />
            {group.total}
          </span>
        </button>
      </h2>
      {!isFolded && <Rows group={group} currentId={currentId} />}
    </section>
  );
}

function Rows({ group, currentId }: GroupProps) {
  const presets = usePresets();
  return (
    <ul>
      {group.views.map((view) => (
        <li key={view.session.id}>
          <SessionRow view={view} current={view.session.id === currentId} presets={presets} />
        </li>
      ))}
    </ul>
  );
}
