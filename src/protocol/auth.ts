import { z } from 'zod';

/** A browser trades the one-time code of a login URL for a session of its own. */
export const LoginRequestSchema = z.strictObject({ code: z.string().min(1).max(200) });
export type LoginRequest = z.infer<typeof LoginRequestSchema>;

/**
 * What a browser gets for its code, beside an HttpOnly cookie. Cookies ignore ports, so the cookie alone proves nothing: the page keeps
 * `secret` in its origin's storage and sends it with every request, in the header {@link SECRET_HEADER} or as a WebSocket subprotocol.
 */
export const LoginAnswerSchema = z.object({ secret: z.string(), expires_at: z.iso.datetime() });
export type LoginAnswer = z.infer<typeof LoginAnswerSchema>;

/** A login URL for one browser. The code is in the fragment, which no browser sends anywhere. */
export const LoginLinkSchema = z.object({ url: z.string(), code: z.string(), expires_at: z.iso.datetime() });
export type LoginLink = z.infer<typeof LoginLinkSchema>;

export const SECRET_HEADER = 'x-maestro-secret';

/** The subprotocol of `/pty`. A browser offers it together with {@link SECRET_PROTOCOL_PREFIX} and its secret. */
export const PTY_PROTOCOL = 'maestro.v1';
export const SECRET_PROTOCOL_PREFIX = 'maestro.secret.';
/** How a client that cannot set headers on a WebSocket sends the token. */
export const TOKEN_PROTOCOL_PREFIX = 'maestro.bearer.';
