import { NoCode } from '../app/no-code.js';
import { useLateCode } from '../parts/late-code.js';
import { text } from '../text/text.js';
import type { WallPageProps } from './wall-page.js';

/** The wall, whose code is fetched when it is first looked at. */
export function LateWall(props: WallPageProps) {
  const { code, failed, retry } = useLateCode('wall', () => import('./wall-page.js').then(({ WallPage }) => ({ WallPage })));
  if (code !== undefined) return <code.WallPage {...props} />;
  return (
    <section className="wall" aria-label={text.views.wall.screens} aria-busy={!failed}>
      {failed && <NoCode onRetry={retry} />}
    </section>
  );
}
