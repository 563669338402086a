import { projectChoices } from '../create/project-choices.js';
import { keyBindings } from '../keys/key-bindings.js';
import { SIDEBAR_WIDTH } from '../sidebar/sidebar-width.js';
import { choice, flag, names, number, text } from './preference.js';

/** Sizes of the terminal's font, in CSS pixels. */
export const TERM_SIZES = { least: 9, most: 24 } as const;

/** What a person has set up in this browser. */
export class Preferences {
  /** Also read by `theme.js`, before the first paint. */
  readonly theme = choice('maestro.theme', ['system', 'light', 'dark']);
  readonly palette = choice('maestro.palette', ['maestro', 'night', 'contrast']);
  readonly motion = choice('maestro.motion', ['system', 'off']);
  /** The tag of a language that the page shall speak; empty for what the browser asks for. */
  readonly language = text('maestro.language');
  /** A font that this computer has; empty for the page's own. */
  readonly termFont = text('maestro.term_font');
  /** 0 for the page's own, which is smaller on a phone. */
  readonly termSize = number('maestro.term_size', TERM_SIZES);
  readonly copyOnSelect = flag('maestro.copy_on_select');
  /** Sessions whose programs may write to the clipboard. */
  readonly clipboardSessions = names('maestro.clipboard_sessions');
  /** The terminals say what they show to a screen reader, which costs them some speed. */
  readonly screenReader = flag('maestro.screen_reader');
  /** What the user is told of who looks elsewhere, and how. */
  readonly tellWaiting = flag('maestro.tell_waiting', { fallback: true });
  readonly tellDone = flag('maestro.tell_done', { fallback: true });
  /** As notices of the browser, which has to allow them. */
  readonly notifications = flag('maestro.notifications');
  readonly sound = flag('maestro.sound');
  /** Nothing is told until this is over. */
  readonly quiet = flag('maestro.quiet');
  /** Behind the leader. */
  readonly keys = keyBindings('maestro.keys');
  /** What was used last, the newest first, in the palette's words. */
  readonly recent = names('maestro.recent');
  readonly sidebarHidden = flag('maestro.sidebar_hidden');
  /** In pixels; 0 for the usual one. */
  readonly sidebarWidth = number('maestro.sidebar_width', SIDEBAR_WIDTH);
  /** The wall has the window for itself unless the sidebar is wanted beside it. */
  readonly wallSidebar = flag('maestro.wall_sidebar');
  /** Projects whose sessions are folded away. */
  readonly folded = names('maestro.folded');
  /** How lines that changed are laid out, where there is room for both. */
  readonly diffMode = choice('maestro.diff_mode', ['unified', 'split']);
  /** Where the last session was made. */
  readonly lastCwd = text('maestro.last_cwd');
  readonly lastPreset = text('maestro.last_preset');
  /** What was last chosen for each project. */
  readonly projects = projectChoices('maestro.projects');
  readonly lastSession = text('maestro.last_session');
  /** The address of the panes that were shown last. */
  readonly lastSplit = text('maestro.last_split');
}

export type ThemeChoice = Preferences['theme']['value'];
export type PaletteChoice = Preferences['palette']['value'];
