/** A time here, to the second, with its date unless that is today's. */
export function clockText(time: string, now: Date): string {
  const at = new Date(time);
  const clock = at.toTimeString().slice(0, 8);
  return at.toDateString() === now.toDateString() ? clock : `${dateText(at)} ${clock}`;
}

function dateText(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
