import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { PlayerView } from "@holo/protocol/games.ts";

/** A frame for many connections: serialized once, and framed once by the transport. */
export interface SharedFrame {
  readonly text: string;
  /** The transport's encoding, made by the first connection that sends it. */
  bytes?: Buffer;
}

/** A connection that follows the lobby or the counts of players and games. */
export interface FeedWatcher {
  readonly player: PlayerView | null;
  readonly isOpen: boolean;
  sendShared(frame: SharedFrame): void;
  /** It has not read what it was sent: what is left out now is made up for later. */
  isBehind(): boolean;
}

export function toSharedFrame(frame: ServerFrame): SharedFrame {
  return { text: JSON.stringify(frame) };
}
