import { useState } from 'react';
import { ResumeAllDialog } from '../pane/resume-all-dialog.js';
import { Glyph } from '../parts/glyph.js';
import type { SessionView } from '../session/session-state.js';

/** Says that sessions sleep, and wakes them all. */
export function WakeBar({ views }: { views: readonly SessionView[] }) {
  const [waking, setWaking] = useState<readonly SessionView[]>();
  const dormant = views.filter(({ state }) => state === 'dormant');
  return (
    <>
      {dormant.length > 0 && (
        <div className="side__wake">
          <Glyph state="dormant" decorative />
          <span className="grow num">{dormant.length} dormant</span>
          <button type="button" className="btn btn--sm" onClick={() => setWaking(dormant)}>
            Resume all ({dormant.length})
          </button>
        </div>
      )}
      {waking !== undefined && <ResumeAllDialog views={waking} onClose={() => setWaking(undefined)} />}
    </>
  );
}
