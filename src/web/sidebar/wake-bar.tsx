import { useState } from 'react';
import { useFeed } from '../app/use-sessions.js';
import { type PageCommands, useCommands } from '../keys/page-commands.js';
import { ResumeAllDialog } from '../pane/resume-all-dialog.js';
import { Glyph } from '../parts/glyph.js';
import { resumeTally } from '../session/resume-outcome.js';
import type { SessionView } from '../session/session-state.js';
import { text } from '../text/text.js';

interface Waking {
  readonly ids: readonly string[];
  readonly begins: boolean;
}

/** Says that sessions sleep, and wakes them all; or how far that is, whoever began it. */
export function WakeBar({ views, commands }: { views: readonly SessionView[]; commands: PageCommands }) {
  const { resumes } = useFeed();
  const [waking, setWaking] = useState<Waking>();
  const underWay = resumeTally(resumes);
  const dormant = views.filter(({ state }) => state === 'dormant');
  const wake = () => setWaking({ ids: dormant.map(({ session }) => session.id), begins: true });
  useCommands(commands, underWay === undefined && dormant.length > 0 ? { resume_all: wake } : {});
  const follow = () => {
    const { waiting = [], resuming = [], resumed = [], failed = [] } = resumes ?? {};
    setWaking({ ids: [...resumed, ...failed.map(({ id }) => id), ...resuming, ...waiting], begins: false });
  };
  return (
    <>
      {(underWay !== undefined || dormant.length > 0) && (
        <div className="side__wake">
          <Glyph state={underWay === undefined ? 'dormant' : 'starting'} decorative />
          <span className="grow num">
            {underWay === undefined ? text.resumes.dormant(dormant.length) : text.resumes.underWay(underWay.done, underWay.total)}
          </span>
          <button type="button" className="btn btn--sm" onClick={underWay === undefined ? wake : follow}>
            {underWay === undefined ? text.resumes.resumeAll(dormant.length) : text.resumes.show}
          </button>
        </div>
      )}
      {waking !== undefined && (
        <ResumeAllDialog views={viewsOf(waking.ids, views)} begins={waking.begins} onClose={() => setWaking(undefined)} />
      )}
    </>
  );
}

/** In the order of `ids`, without those that were killed since. */
function viewsOf(ids: readonly string[], views: readonly SessionView[]): readonly SessionView[] {
  return ids.flatMap((id) => views.find(({ session }) => session.id === id) ?? []);
}
