import type { AgentInfo } from '../../../protocol/index.js';
import type { AgentLine, Program } from './agent-line.js';
import type { ConversationStore } from './conversation-store.js';

/** A file that a program reads, to be written to the directory of the context under its name, which its content decides. */
export interface LaunchFile {
  readonly name: string;
  readonly content: string;
}

/** What was read for a plan of what the agent would have read itself. `undefined`: there is none. `unreadable`: there is, and it is no JSON. */
export interface LaunchInputs {
  /** The settings file in whose place Maestro's is read, with where it lies. */
  readonly systemSettings?: { readonly path: string; readonly content: Json | 'unreadable' | undefined };
  /** The settings that the command line names, with the word that does. */
  readonly ownSettings?: { readonly word: string; readonly content: Json | 'unreadable' };
}

export type Json = Readonly<Record<string, unknown>>;

export interface LaunchContext {
  /** Where the files of a plan are to lie. No directory above may be writable for group or others, or Gemini ignores its file. */
  readonly agentsDir: string;
  readonly nodePath: string;
  /** The reporter. */
  readonly hookFile: string;
  /** OpenCode's plugin. */
  readonly pluginFile: string;
  /** Of the installed agent, where it is known. */
  readonly version?: string | undefined;
  /** The session's whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly inputs: LaunchInputs;
}

/** What is given to one run of an agent so that it reports. */
export interface Injection {
  /** Shell text for the command line. */
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: readonly LaunchFile[];
  readonly warnings?: readonly string[];
  /** Options of the user whose values are in `words` now. */
  readonly replaces?: readonly string[];
}

export interface InjectionRequest {
  /** Undefined when nothing can be put on the command line. */
  readonly line: AgentLine | undefined;
  /** What the command sets for its program by itself; a key with undefined has a value that is not known. */
  readonly assigned: Readonly<Record<string, string | undefined>>;
  readonly context: LaunchContext;
}

/** The conversation that a command opens. `free`: a new one. `unknown`: one that only the agent can name. */
export type Opened = { readonly id: string } | 'free' | 'unknown';

/** One kind of agent: what Maestro knows of it, and how it starts and resumes it. */
export interface AgentAdapter extends Program {
  /** That of its preset, as is its label. */
  readonly id: string;
  readonly label: string;
  /** Its npm package, where it has one. */
  readonly packageName?: string;
  readonly verified: AgentInfo['verified'];
  readonly conversation: AgentInfo['conversation'];
  readonly activity: readonly string[];
  readonly injects: readonly string[];
  /** What is to be known of a version. */
  warnings?(version: string | undefined): readonly string[];
  /** What the user's own words open. */
  opens?(line: AgentLine): Opened;
  /** The words that give a new conversation its id. */
  begin?(conversation: string): readonly string[];
  /** The words that bring a conversation back, with those of the injection in the place where they belong. */
  comeBack?(conversation: string, injected: readonly string[]): readonly string[];
  inject?(request: InjectionRequest): Injection;
  /**
   * The options that take the first prompt of a conversation that goes on at the terminal, the one to be used first; none where it is a
   * word of its own. Absent when that is not known.
   */
  readonly promptOptions?: readonly string[];
  /** Absent when it is not known where the agent keeps its conversations. */
  readonly store?: ConversationStore;
}
