/** One message of an event stream (WHATWG HTML, section 9.2). */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

/** Reads the messages of an event stream. A message that the end cuts off is dropped, as the standard says. */
export async function* serverSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let event = '';
  let data: string[] = [];
  let id = '';
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n'), id };
      event = '';
      data = [];
      continue;
    }
    const [name, value] = fieldOf(line);
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
    else if (name === 'id' && !value.includes('\0')) id = value;
  }
}

/** A comment has an empty name. */
function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon < 0) return [line, ''];
  const value = line.slice(colon + 1);
  return [line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value];
}

/** Lines end with LF, CR or CRLF; a CR at the end of a chunk waits for what follows. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pending: string[] = []; // pieces of a line that is not complete: joined once, as a long line comes in many chunks
  let endsWithCr = false;
  for await (const chunk of body) {
    let text = decoder.decode(chunk, { stream: true });
    if (text === '') continue; // a character that is not complete yet
    if (endsWithCr && text.startsWith('\n')) text = text.slice(1);
    endsWithCr = text.endsWith('\r');
    const lines = text.split(/\r\n|\n|\r/);
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      yield pending.join('') + line;
      pending = [];
    }
    if (rest !== '') pending.push(rest);
  }
}
