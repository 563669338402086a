import { describeAgent } from './agent-suite.js';
import { CODEX } from './codex.js';

describeAgent(CODEX);
