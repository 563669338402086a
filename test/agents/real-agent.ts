/** Keys as the API takes them. */
export type Keys = readonly string[];

/** What a user's home holds before the agent first starts, so that no dialog comes up. */
export interface AgentHome {
  /** Contents by path, relative to the home. */
  readonly files: Readonly<Record<string, string>>;
  /** Those of {@link files} that the agent itself leaves alone, so that whoever changes them is Maestro. */
  readonly settings: readonly string[];
  /** A file that the user's own hook makes when a turn ends, for agents that run his hooks unasked. */
  readonly hookMark?: string;
}

export interface Surroundings {
  readonly home: string;
  /** The URL of the model server. */
  readonly model: string;
  /** Directories that the agent trusts. */
  readonly trusted: readonly string[];
}

/** One of the agents, as a user at its terminal knows it. */
export interface RealAgent {
  /** The id of its preset. */
  readonly id: string;
  /** What the user runs; the preset's own command when left out. */
  readonly command?: string;
  home(around: Surroundings): AgentHome;
  env(around: Surroundings): Readonly<Record<string, string>>;
  /** Its conversation has an id before the first prompt. */
  readonly knowsConversation: 'at the start' | 'after a prompt';
  /** It takes an id again that was chosen for a conversation nobody ever had. */
  readonly keepsUnusedConversation: boolean;
  /** Text on the screen of every ready start. */
  readonly readyText: string;
  /** Text of the dialog that asks for a permission, which comes a moment later than the agent tells of it. */
  readonly permissionText: string;
  /** Ends the conversation and begins another. */
  readonly newConversation: string;
  /** It tells of the new conversation before its first prompt. */
  readonly tellsNewConversation: boolean;
  readonly keys: {
    readonly interrupt: Keys;
    /** Text of the screen that asks for `interrupt` a second time. */
    readonly interruptAgain?: string;
    /** Declines what is asked for. */
    readonly decline: Keys;
    /** Allows what is asked for, once. */
    readonly allow: Keys;
    /** Takes the first answer of a question. */
    readonly choose: Keys;
    /** Brings it into the mode in which it asks questions, and back. */
    readonly askingMode?: Keys;
  };
  /** A start that ends in a dialog, and what of it is on the screen. */
  readonly trustDialog?: {
    readonly text: string;
    /** Trusts the directory. */
    readonly accept: Keys;
    /** Left out of the environment. */
    readonly without?: string;
  };
  /** How a turn ends whose model answers that the request is bad; undefined for an agent that asks on and on. */
  readonly failedTurn?: 'idle failed' | 'idle';
  /** It has sub-agents that the order `agent` starts. */
  readonly hasSubAgents: boolean;
  /** What it tells of a request for a permission, and of a question; nothing of either when left out. */
  readonly tells?: { readonly command: boolean; readonly question: string };
  /** Its requests tell the conversation. */
  readonly asksByConversation: boolean;
}
