import { readdirSync, readFileSync } from 'node:fs';

const MIB = 1024 * 1024;

/** Memory that the process holds, in MiB. */
export function residentMib(pid: number): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ');
  return (Number(pages) * 4096) / MIB;
}

/** Time that all threads of the process have run, in milliseconds. */
export function cpuMs(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const ran = tasks.map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'latin1').split(' ')[0]));
  return ran.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

/**
 * Changes whenever the process starts a child or has waited for one: the children there are, and the page faults of those that ended,
 * as no program starts without.
 */
export function childrenMark(pid: number): string {
  const children = readdirSync(`/proc/${pid}/task`).map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1'));
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const faultsOfChildren = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[8];
  return `${faultsOfChildren} ${children.join(' ')}`;
}
