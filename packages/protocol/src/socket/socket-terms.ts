/**
 * Raised when an open page can no longer use the server. `hello` carries it, and the page then
 * reloads itself once.
 */
export const PROTOCOL_VERSION = 1;
/** Bytes of one frame from a client; larger ones close the connection. */
export const FRAME_BYTES_MAX = 4096;
/** Code points of one chat message (specification 5). */
export const CHAT_CHARACTERS_MAX = 200;

/** A command that takes coins is not carried out for the first time later than this. */
export const COMMAND_LATE_AFTER_MS = 30_000;

export const CLOSE = {
  /** The server restarts: reconnect with jitter. */
  restarting: 4001,
  /** Newer connections of the same player replaced this one. */
  tooMany: 4002,
  flooding: 4003,
  /** The client did not read what was sent. */
  slow: 4004,
  sessionEnded: 4005,
  /** A fault of the server: reconnect and resume. */
  faulty: 4006,
  /** The address has too many connections: try again later. */
  busy: 4007,
} as const;
