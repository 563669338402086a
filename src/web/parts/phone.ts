/** A phone, also one on its side. In such a window the page asks for no size by itself, or the terminal on a desk would change: only for a session made here. */
export const PHONE = '(max-width: 640px), (max-width: 960px) and (max-height: 480px) and (pointer: coarse)';
