import type { ListProcesses } from './process-table.js';
import { ProcfsProcesses } from './procfs-processes.js';
import { listWithPs } from './ps-processes.js';

/** How this system's processes are listed. */
export function systemProcesses(platform: NodeJS.Platform = process.platform): ListProcesses {
  if (platform !== 'linux') return listWithPs;
  const processes = new ProcfsProcesses();
  return () => processes.list();
}

/** Looks at single processes, where this system has a cheaper way to do that than to list all. */
export function singleProcesses(platform: NodeJS.Platform = process.platform): ProcfsProcesses | undefined {
  return platform === 'linux' ? new ProcfsProcesses() : undefined;
}
