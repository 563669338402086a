import type { ListProcesses } from './process-table.js';
import { ProcfsProcesses } from './procfs-processes.js';
import { listWithPs } from './ps-processes.js';

/** How this system's processes are listed. */
export function systemProcesses(platform: NodeJS.Platform = process.platform): ListProcesses {
  if (platform !== 'linux') return listWithPs;
  const processes = new ProcfsProcesses();
  return () => processes.list();
}
