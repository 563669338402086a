import { runBundle } from './run-bundle.cjs';

// The daemon's beginning: `node dist/launch/daemon.cjs`.
runBundle(`${__dirname}/../daemon`);
