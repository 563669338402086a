import { join } from 'node:path';

/** The directory of the built daemon. This module lies right in it, and so does the one file that the daemon is run from. */
const DAEMON = import.meta.dirname;

/** The built page. */
export const PAGE_DIRECTORY = join(DAEMON, '../web');

/** What agents report with is a file of its own, that of the command beside the daemon. */
export const REPORTER_FILE = join(DAEMON, '../cli/hook.cjs');

/** What OpenCode loads to report with. */
export const PLUGIN_FILE = join(DAEMON, '../cli/hook/opencode-plugin.js');
