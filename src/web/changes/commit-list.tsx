import type { Diff } from '../../protocol/index.js';
import { Age } from '../parts/age.js';
import { Icon } from '../parts/icon.js';
import { visibleText } from '../parts/visible-text.js';
import { text } from '../text/text.js';
import { PlainText } from './plain-text.js';

/** Digits of a commit's id that people compare. */
const SHORT_ID = 8;

/** The commits since the session began. */
export function CommitList({ diff: { commits, commits_total } }: { diff: Diff }) {
  if (commits_total === 0) return null;
  const hidden = commits_total - commits.length;
  return (
    <details className="commits" open={commits_total <= 6}>
      <summary className="commits__head">
        <Icon name="down" className="chev" />
        {text.changes.commits(commits_total)}
      </summary>
      <ol className="commits__list">
        {commits.map(({ id, subject, author, at }) => (
          <li key={id} className="commit" title={`${id}\n${visibleText(author)}`}>
            <span className="mono fg3">{id.slice(0, SHORT_ID)}</span>
            <span className="commit__subject clip">
              <PlainText text={subject} />
            </span>
            <span className="commit__age num">
              <Age since={Date.parse(at)} />
            </span>
          </li>
        ))}
        {hidden > 0 && <li className="commit fg3">{text.changes.olderCommits(hidden)}</li>}
      </ol>
    </details>
  );
}
