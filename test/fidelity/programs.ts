export interface Program {
  readonly command: string;
  /** On its screen once it is there. */
  readonly ready: string;
  readonly keys: readonly string[];
}

// As terminals send them in the mode that ncurses asks for.
const UP = '\x1bOA';
const DOWN = '\x1bOB';

/** Programs that people run in terminals. Each works on the files `text` and `painter.mjs` of its directory. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  vim: {
    command: 'exec vim -n -u NONE -N --cmd "set nocp ruler hlsearch mouse=a t_Co=256 | syntax on" text',
    ready: 'word',
    keys: ['\x06', 'jjjj', '/7 word\r', 'inew \u6f22\u5b57\x1b', ':split\r', 'dd', 'G', '\x17w', 'u'],
  },
  htop: { command: 'exec htop -d 600', ready: 'Mem', keys: ['j', 'M', 't', DOWN, '?', '\x1b', 'I', 'k'] },
  less: { command: 'exec less text', ready: 'word', keys: [' ', 'b', 'j', '/12 word\r', 'n', 'G', '-S\r', 'd'] },
  mc: { command: 'exec mc -u', ready: 'Help', keys: [DOWN, DOWN, '\t', UP, '\x1b9', '\x1b\x1b', 'ls\r', DOWN] },
  nano: { command: 'exec nano -I text', ready: 'word', keys: ['\x16', 'new \u5b57', '\x19', '\x0b', DOWN, '\x15', '\x07', '\x18'] },
  dialog: {
    command: 'exec dialog --colors --menu "A \\Z1red\\Zn menu" 15 50 6 1 one 2 two 3 three 4 four 5 five 6 six 7 seven',
    ready: 'menu',
    keys: [DOWN, DOWN, '\t', UP, DOWN, DOWN, DOWN, '\t'],
  },
};
