/** Where the list of keys shows an action. */
export type ActionGroup = 'go' | 'session' | 'page';

interface ActionFacts {
  readonly group: ActionGroup;
  /** The key behind the leader, unless the user has chosen another one. */
  readonly key?: string;
}

/** What the page does on command, in the order in which it is listed. */
export const PAGE_ACTIONS = {
  palette: { group: 'go', key: 'k' },
  next_waiting: { group: 'go', key: 'n' },
  jump: { group: 'go', key: 'j' },
  sidebar: { group: 'go', key: 'b' },
  wall: { group: 'go', key: 'w' },
  split: { group: 'go', key: 'v' },
  split_right: { group: 'go', key: '%' },
  split_down: { group: 'go', key: '"' },
  next_pane: { group: 'go', key: 'o' },
  single: { group: 'go', key: 'z' },
  new: { group: 'session', key: 'c' },
  rename: { group: 'session', key: ',' },
  find: { group: 'session', key: 'f' },
  changes: { group: 'session', key: 'g' },
  output: { group: 'session' },
  download: { group: 'session' },
  copy_attach: { group: 'session', key: 'y' },
  copy_id: { group: 'session' },
  resume: { group: 'session' },
  resume_all: { group: 'session', key: 'R' },
  restart: { group: 'session', key: 'r' },
  stop: { group: 'session', key: 's' },
  kill: { group: 'session', key: 'x' },
  keys: { group: 'page', key: '?' },
  settings: { group: 'page' },
  theme: { group: 'page' },
  quiet: { group: 'page' },
  worktrees: { group: 'page' },
  sign_out: { group: 'page' },
} as const satisfies Readonly<Record<string, ActionFacts>>;

export type PageAction = keyof typeof PAGE_ACTIONS;

export const ALL_ACTIONS = Object.keys(PAGE_ACTIONS) as readonly PageAction[];

export function isPageAction(name: string): name is PageAction {
  return Object.hasOwn(PAGE_ACTIONS, name);
}

export function groupOfAction(action: PageAction): ActionGroup {
  return PAGE_ACTIONS[action].group;
}

/** The key that the action has when the user has chosen none. */
export function defaultKey(action: PageAction): string | undefined {
  const facts: ActionFacts = PAGE_ACTIONS[action];
  return facts.key;
}
