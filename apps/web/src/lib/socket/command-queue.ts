import type { CommandId, GameId } from "@holo/kernel/ids.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { CommandFrame, SeatCommandFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import type { ConnectionDeps } from "./connection.ts";

/** A command without an answer for this long is sent again. */
export const RESEND_AFTER_MS = 2_500;

/** A player's command. Its id is assigned when it is sent, its age each time. */
export type Command = Order<CommandFrame>;
type Order<Frame> = Frame extends unknown ? Omit<Frame, "commandId" | "sentAgoMs"> : never;

export type CommandAnswer =
  | {
      readonly type: "done";
      readonly gameId: GameId;
      readonly version: number;
      readonly status: "waiting" | "active" | "ended";
    }
  | { readonly type: "moved"; readonly gameId: GameId; readonly record: LogRecord }
  | { readonly type: "refused"; readonly refusal: RefusalView };

interface PendingCommand {
  readonly id: CommandId;
  readonly command: Command;
  readonly resolve: (answer: CommandAnswer) => void;
  /** The player's click by both clocks. `now` stops while a device sleeps. */
  readonly clickedAt: { readonly now: number; readonly wall: number };
  /** Whether any connection accepted it: then the server may have carried it out. */
  wasSent: boolean;
  /** When it was first and last sent on this connection; null before. */
  firstSentAt: number | null;
  lastSentAt: number | null;
}

interface CommandQueue {
  send(command: Command): Promise<CommandAnswer>;
  sendAll(): void;
  sendDue(): void;
  receive(frame: ServerFrame): void;
  onDisconnected(): void;
  unansweredSince(): number | null;
  refuseAll(refusal: RefusalView): void;
}

interface CommandQueueDeps extends Pick<ConnectionDeps, "now" | "after"> {
  /** The device's time, which may be changed. */
  wallNow(): number;
  newId(): CommandId;
}

const TAKES_COINS = { create: true, join: true, offer_rematch: true, answer_rematch: true } as const satisfies Record<
  SeatCommandFrame["type"],
  true
>;
/** Later the player no longer expects to sit down at a table. */
const SEND_WITHIN_MS = 20_000;
const AGE_MS_MAX = 86_400_000;
const NEVER_SENT: RefusalView = {
  code: "unavailable",
  title: "No connection",
  text: "We couldn't reach Holo Arena, so nothing was taken. Please try again.",
};

/**
 * Commands in flight. Each is sent until it is answered, over as many connections as necessary. One
 * that takes coins is dropped if no connection could send it for a while.
 */
export function createCommandQueue(
  send: (frame: CommandFrame) => boolean,
  { now, wallNow, after, newId }: CommandQueueDeps,
): CommandQueue {
  const pending = new Map<string, PendingCommand>();

  /** The server carries out nothing that takes coins long after the click. */
  function toFrame({ id, command, clickedAt }: PendingCommand): CommandFrame {
    if (!takesCoins(command)) return { ...command, commandId: id };
    const agoMs = Math.round(Math.max(now() - clickedAt.now, wallNow() - clickedAt.wall));
    return { ...command, commandId: id, sentAgoMs: Math.min(agoMs, AGE_MS_MAX) };
  }

  function sendPending(command: PendingCommand): void {
    if (!send(toFrame(command))) return;
    command.wasSent = true;
    command.lastSentAt = now();
    command.firstSentAt ??= command.lastSentAt;
  }

  function answer(id: string | undefined, reply: CommandAnswer): void {
    const command = id === undefined ? undefined : pending.get(id);
    if (command === undefined) return;
    pending.delete(command.id);
    command.resolve(reply);
  }

  /** The server does not know the outcome: the command remains open and is resent later. */
  function postpone(id: string): void {
    const command = pending.get(id);
    if (command === undefined) return;
    command.lastSentAt = now();
    // The connection works, so this wait must not count as its silence.
    command.firstSentAt = command.lastSentAt;
  }

  return {
    send(command) {
      const id = newId();
      return new Promise((resolve) => {
        const clickedAt = { now: now(), wall: wallNow() };
        const added = { id, command, resolve, clickedAt, wasSent: false, firstSentAt: null, lastSentAt: null };
        pending.set(id, added);
        sendPending(added);
        if (added.wasSent || !takesCoins(command)) return;
        after(SEND_WITHIN_MS, () => !added.wasSent && answer(id, { type: "refused", refusal: NEVER_SENT }));
      });
    },
    sendAll() {
      for (const command of pending.values()) sendPending(command);
    },
    sendDue() {
      for (const command of pending.values()) {
        if (command.lastSentAt === null || now() - command.lastSentAt >= RESEND_AFTER_MS) sendPending(command);
      }
    },
    receive(frame) {
      if (frame.type === "retry") return postpone(frame.commandId);
      for (const [id, reply] of toReplies(frame)) answer(id, reply);
    },
    onDisconnected() {
      for (const command of pending.values()) {
        command.firstSentAt = null;
        command.lastSentAt = null;
      }
    },
    unansweredSince() {
      let since: number | null = null;
      for (const { firstSentAt } of pending.values()) {
        if (firstSentAt !== null && (since === null || firstSentAt < since)) since = firstSentAt;
      }
      return since;
    },
    refuseAll(refusal) {
      for (const id of [...pending.keys()]) answer(id, { type: "refused", refusal });
    },
  };
}

function takesCoins(command: Command): command is Order<SeatCommandFrame> {
  return command.type in TAKES_COINS;
}

function toReplies(frame: ServerFrame): readonly (readonly [id: string | undefined, reply: CommandAnswer])[] {
  switch (frame.type) {
    case "done": {
      const { gameId, version, status } = frame;
      return [[frame.commandId, { type: "done", gameId, version, status }]];
    }
    case "refused":
      return [[frame.commandId, { type: "refused", refusal: frame.refusal }]];
    case "record":
      return toMoveReplies(frame.gameId, [frame.record]);
    case "table":
      return toMoveReplies(frame.gameId, frame.records);
    default:
      return [];
  }
}

function toMoveReplies(gameId: GameId, records: readonly LogRecord[]): ReturnType<typeof toReplies> {
  return records
    .filter(({ events }) => events[0]?.type === "moved")
    .map((record) => [record.commandId, { type: "moved", gameId, record }]);
}
