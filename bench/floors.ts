import { join } from 'node:path';
import { Child } from './child.js';
import { Viewer } from './viewer.js';

const DIRECTORY = join(import.meta.dirname, '../../bench/floor');

/** The package that has node-pty. */
export const PTY_PACKAGE = join(DIRECTORY, '../pty/package.json');

function floorProgram(name: string): string {
  return join(DIRECTORY, name);
}

interface Listening {
  readonly listen: string;
}

/** A program of `bench/floor` that listens. */
export class Floor implements AsyncDisposable {
  readonly #child: Child<Listening>;

  private constructor(child: Child<Listening>) {
    this.#child = child;
  }

  static async start(name: 'bare-server' | 'copy-server' | 'idle-fastify'): Promise<Floor> {
    return new Floor(await Child.start<Listening>([floorProgram(`${name}.mjs`)]));
  }

  get pid(): number {
    return this.#child.pid;
  }

  url(query: Readonly<Record<string, string>>): string {
    return `ws://${this.#child.ready.listen}/?${new URLSearchParams(query)}`;
  }

  connect(query: Readonly<Record<string, string>>): Viewer {
    return Viewer.connect(this.url(query));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child.end();
  }
}

/** Reads all output behind `url` in a process of its own; resolves once the first has come. */
export function drain(url: string, token = ''): Promise<Child<object>> {
  return Child.start([floorProgram('drain.mjs'), url, token]);
}
