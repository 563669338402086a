import { access, rename } from 'node:fs/promises';

/** What is behind the name of a file that was set aside, up to the time. */
const MARK = '.bad-';

/** Renames a file that cannot be used, so that it is neither read again nor overwritten. Answers its new path; no earlier one is replaced. */
export async function setAside(path: string): Promise<string> {
  const movedTo = await freeName(`${path}${MARK}${new Date().toISOString().replaceAll(/[-:]/g, '')}`);
  await rename(path, movedTo);
  return movedTo;
}

/** True for the name of a file that was set aside. */
export function isSetAside(name: string): boolean {
  return name.includes(MARK);
}

async function freeName(wanted: string): Promise<string> {
  for (let count = 0; ; count += 1) {
    const path = count === 0 ? wanted : `${wanted}-${count}`;
    const free = await access(path).then(
      () => false,
      () => true,
    );
    if (free) return path;
  }
}
