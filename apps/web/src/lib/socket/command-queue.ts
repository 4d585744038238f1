import type { CommandId, GameId } from "@holo/kernel/ids.ts";
import type { CommandFrame, ServerFrame } from "@holo/protocol/frames.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { RESEND_AFTER_MS } from "./connection.ts";

/** A player's command. Its id is assigned when it is sent. */
export type Command = WithoutId<CommandFrame>;
type WithoutId<Frame> = Frame extends unknown ? Omit<Frame, "commandId"> : never;

export type CommandAnswer =
  | {
      readonly type: "done";
      readonly gameId: GameId;
      readonly version: number;
      readonly status: "waiting" | "active" | "ended";
    }
  /** The move was committed; this is its record. */
  | { readonly type: "moved"; readonly gameId: GameId; readonly record: LogRecord }
  | { readonly type: "refused"; readonly refusal: RefusalView };

interface PendingCommand {
  readonly id: CommandId;
  readonly frame: CommandFrame;
  readonly resolve: (answer: CommandAnswer) => void;
  /** When it was first and last sent on this connection; null before that. */
  firstSentAt: number | null;
  lastSentAt: number | null;
}

interface CommandQueue {
  send(command: Command): Promise<CommandAnswer>;
  /** Sends every unanswered command on a new connection. */
  sendAll(): void;
  sendDue(): void;
  receive(frame: ServerFrame): void;
  onDisconnected(): void;
  unansweredSince(): number | null;
  refuseAll(refusal: RefusalView): void;
}

/**
 * Commands in flight. Each is sent until it is answered, over as many connections as that takes.
 */
export function createCommandQueue(
  send: (frame: CommandFrame) => boolean,
  now: () => number,
  newId: () => CommandId,
): CommandQueue {
  const pending = new Map<string, PendingCommand>();

  function sendPending(command: PendingCommand): void {
    if (!send(command.frame)) return;
    command.lastSentAt = now();
    command.firstSentAt ??= command.lastSentAt;
  }

  function answer(id: string | undefined, reply: CommandAnswer): void {
    const command = id === undefined ? undefined : pending.get(id);
    if (command === undefined) return;
    pending.delete(command.id);
    command.resolve(reply);
  }

  /** The server does not know the outcome: the command stays open and is sent again later. */
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
        const added = { id, frame: { ...command, commandId: id }, resolve, firstSentAt: null, lastSentAt: null };
        pending.set(id, added);
        sendPending(added);
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

function toReplies(frame: ServerFrame): readonly (readonly [id: string | undefined, reply: CommandAnswer])[] {
  switch (frame.type) {
    case "done": {
      const { gameId, version, status } = frame;
      return [[frame.commandId, { type: "done", gameId, version, status }]];
    }
    case "refused":
      return [[frame.commandId, { type: "refused", refusal: frame.refusal }]];
    case "entry":
      return toMoveReplies(frame.gameId, [frame.entry]);
    case "table":
      return toMoveReplies(frame.gameId, frame.entries);
    default:
      return [];
  }
}

/** A move is answered by its record. */
function toMoveReplies(gameId: GameId, records: readonly LogRecord[]): ReturnType<typeof toReplies> {
  return records
    .filter(({ events }) => events[0]?.type === "moved")
    .map((record) => [record.commandId, { type: "moved", gameId, record }]);
}
