import { chmod, lstat, mkdir } from 'node:fs/promises';
import { onDisk, type RawPath } from '../raw-path.js';

/** The directories of one tree, made where they are missing with the modes that the user's umask gives. A symbolic link is no directory. */
export class RealDirectories {
  readonly #top: string;
  readonly #mode: number;
  readonly #known = new Map<RawPath, Promise<boolean>>();

  constructor(top: string, umask: number) {
    this.#top = top;
    this.#mode = 0o777 & ~umask;
  }

  /** Makes those that the file at `path` is to be in. False when something else is in the way. */
  makeFor(path: RawPath): Promise<boolean> {
    const slash = path.lastIndexOf('/');
    return slash < 0 ? Promise.resolve(true) : this.#make(path.slice(0, slash));
  }

  #make(directory: RawPath): Promise<boolean> {
    const made = this.#known.get(directory) ?? this.#makeOne(directory);
    this.#known.set(directory, made);
    return made;
  }

  async #makeOne(directory: RawPath): Promise<boolean> {
    if (!(await this.makeFor(directory))) return false;
    const path = onDisk(this.#top, directory);
    try {
      await mkdir(path, { mode: this.#mode });
      await chmod(path, this.#mode);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return (await lstat(path)).isDirectory();
    }
  }
}
