import { crc32, deflateSync } from 'node:zlib';

/*
 * Draws the page's mark, as `favicon.svg` has it, into PNGs: what phones and desktops want for the icon of an app. The mark is a plate, a
 * stroke and a block, so that the distance to their edges is all that is needed.
 */

type Point = readonly [x: number, y: number];

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
}

interface Mark {
  readonly plate: Rect;
  readonly cursor: Rect;
  readonly lines: readonly (readonly [Point, Point])[];
  readonly strokeWidth: number;
  readonly plateColor: string;
  readonly inkColor: string;
}

export interface IconOptions {
  /** In pixels. */
  readonly size: number;
  /** The plate fills the square, as the system cuts a shape of its own out of it. */
  readonly isFull?: boolean;
  /** How large the mark is on the plate. */
  readonly scale?: number;
}

/** The drawing's side; all its numbers are in these units. */
const UNITS = 32;

/** The mark of `svg` as a PNG. Throws where the drawing is no such mark. */
export function iconPng(svg: string, { size, isFull = false, scale = 1 }: IconOptions): Buffer {
  const pixels = draw(readMark(svg), { size, isFull, scale });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8); // 8 bits of each channel, RGBA
  const rows = Array.from({ length: size }, (_, row) => [Buffer.of(0), pixels.subarray(row * size * 4, (row + 1) * size * 4)]);
  const data = deflateSync(Buffer.concat(rows.flat()), { level: 9 });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function readMark(svg: string): Mark {
  const [plate = '', cursor] = svg.match(/<rect[^>]*>/g) ?? [];
  const stroke = /<path[^>]*>/.exec(svg)?.[0] ?? '';
  const points = pointsOf(attribute(stroke, 'd'));
  const [plateColor, inkColor] = [attribute(plate, 'fill'), attribute(stroke, 'stroke')];
  if (cursor === undefined || points.length < 2 || !isColor(plateColor) || !isColor(inkColor))
    throw new Error('the drawing is not the mark');
  const lines = points.slice(1).map((to, at) => [points[at] ?? to, to] as const);
  return {
    plate: rectOf(plate),
    cursor: rectOf(cursor),
    lines,
    strokeWidth: Number(attribute(stroke, 'stroke-width')),
    plateColor,
    inkColor,
  };
}

function attribute(element: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1] ?? '';
}

function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

function rectOf(element: string): Rect {
  const number = (name: string) => Number(attribute(element, name));
  return { x: number('x'), y: number('y'), width: number('width'), height: number('height'), radius: number('rx') };
}

/** The points of a path of straight lines, in absolute `M`, `L`, `H` and `V`. */
function pointsOf(path: string): Point[] {
  const points: Point[] = [];
  for (const [, command, rest = ''] of path.matchAll(/([MLHV])([^MLHV]*)/g)) {
    const numbers = rest.match(/[\d.]+/g)?.map(Number) ?? [];
    const [x, y] = points.at(-1) ?? [0, 0];
    if (command === 'H') points.push(...numbers.map((to): Point => [to, y]));
    else if (command === 'V') points.push(...numbers.map((to): Point => [x, to]));
    else for (let at = 0; at + 1 < numbers.length; at += 2) points.push([numbers[at] ?? 0, numbers[at + 1] ?? 0]);
  }
  return points;
}

/** The colour of each pixel, as RGBA. */
function draw(mark: Mark, { size, isFull, scale }: Required<IconOptions>): Buffer {
  const [plate, ink] = [channels(mark.plateColor), channels(mark.inkColor)];
  const unit = UNITS / size;
  const covered = (distance: number) => Math.min(1, Math.max(0, 0.5 - distance / unit));
  const inMark = (value: number) => (value - UNITS / 2) / scale + UNITS / 2;
  const pixels = Buffer.alloc(size * size * 4);
  for (let at = 0; at < size * size; at += 1) {
    const [x, y] = [((at % size) + 0.5) * unit, (Math.floor(at / size) + 0.5) * unit];
    const inked = covered(distanceToInk(mark, [inMark(x), inMark(y)]) * scale);
    for (let channel = 0; channel < 3; channel += 1) {
      pixels[at * 4 + channel] = Math.round((plate[channel] ?? 0) * (1 - inked) + (ink[channel] ?? 0) * inked);
    }
    pixels[at * 4 + 3] = isFull ? 255 : Math.round(covered(distanceToRect(mark.plate, [x, y])) * 255);
  }
  return pixels;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** How far the point is from the ink; negative inside. */
function distanceToInk({ lines, strokeWidth, cursor }: Mark, point: Point): number {
  let nearest = distanceToRect(cursor, point);
  for (const line of lines) nearest = Math.min(nearest, distanceToLine(line, point) - strokeWidth / 2);
  return nearest;
}

function distanceToRect({ x, y, width, height, radius }: Rect, [px, py]: Point): number {
  const dx = Math.abs(px - x - width / 2) - width / 2 + radius;
  const dy = Math.abs(py - y - height / 2) - height / 2 + radius;
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
}

function distanceToLine([[ax, ay], [bx, by]]: readonly [Point, Point], [px, py]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(px - ax - along * dx, py - ay - along * dy);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}
