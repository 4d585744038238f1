import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";

/** A frame for many connections: serialized once, and framed once by the transport. */
export interface SharedFrame {
  readonly text: string;
  /** The transport's encoding, made by the first connection that sends it. */
  bytes?: Buffer;
}

export interface FeedWatcher {
  readonly player: PlayerView | null;
  readonly isOpen: boolean;
  sendShared(frame: SharedFrame): void;
  /** The connection has unread data: updates left out now are sent later. */
  isBehind(): boolean;
}

export function toSharedFrame(frame: ServerFrame): SharedFrame {
  return { text: JSON.stringify(frame) };
}
