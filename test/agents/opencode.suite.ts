import { describeAgent } from './agent-suite.js';
import { OPENCODE } from './opencode.js';

describeAgent(OPENCODE);
