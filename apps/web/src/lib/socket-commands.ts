import type { CommandFrame, ServerFrame } from "@holo/protocol/frames.ts";
import type { RefusalView } from "@holo/protocol/refusals.ts";
import type { Entry } from "@holo/table/entry.ts";
import { RESEND_AFTER_MS } from "./socket-line.ts";

/** What a player asks for; its id is given when it is sent. */
export type Command = WithoutId<CommandFrame>;
type WithoutId<Frame> = Frame extends unknown ? Omit<Frame, "commandId" | "moveId"> : never;

export type CommandAnswer =
  | {
      readonly type: "done";
      readonly gameId: string;
      readonly version: number;
      readonly status: "waiting" | "active" | "ended";
    }
  /** A move stands: this is its entry. */
  | { readonly type: "moved"; readonly gameId: string; readonly entry: Entry }
  | { readonly type: "refused"; readonly refusal: RefusalView };

interface Pending {
  readonly id: string;
  readonly frame: CommandFrame;
  readonly resolve: (answer: CommandAnswer) => void;
  /** When it was first and last sent on this connection; null before. */
  firstSentAt: number | null;
  lastSentAt: number | null;
}

export interface Commands {
  send(command: Command): Promise<CommandAnswer>;
  /** Says every unanswered command on a connection that has just come to stand. */
  sendAll(): void;
  sendDue(): void;
  take(frame: ServerFrame): void;
  onLost(): void;
  owedSince(): number | null;
  refuseAll(refusal: RefusalView): void;
}

/** Commands on their way. Each is said until it is answered, on as many connections as that takes, and answered once. */
export function createCommands(
  say: (frame: CommandFrame) => boolean,
  now: () => number,
  newId: () => string,
): Commands {
  const pending = new Map<string, Pending>();

  function sayPending(command: Pending): void {
    if (!say(command.frame)) return;
    command.lastSentAt = now();
    command.firstSentAt ??= command.lastSentAt;
  }

  function answer(id: string | undefined, given: CommandAnswer): void {
    const command = id === undefined ? undefined : pending.get(id);
    if (command === undefined) return;
    pending.delete(command.id);
    command.resolve(given);
  }

  function takeEntry(gameId: string, entry: Entry): void {
    if (entry.events[0]?.type === "moved") answer(entry.commandId, { type: "moved", gameId, entry });
  }

  return {
    send(command) {
      const id = newId();
      const named = command.type === "move" ? { ...command, moveId: id } : { ...command, commandId: id };
      return new Promise((resolve) => {
        const added = { id, frame: named as CommandFrame, resolve, firstSentAt: null, lastSentAt: null };
        pending.set(id, added);
        sayPending(added);
      });
    },
    sendAll() {
      for (const command of pending.values()) sayPending(command);
    },
    sendDue() {
      for (const command of pending.values()) {
        if (command.lastSentAt === null || now() - command.lastSentAt >= RESEND_AFTER_MS) sayPending(command);
      }
    },
    take(frame) {
      switch (frame.type) {
        case "done":
          answer(frame.commandId, {
            type: "done",
            gameId: frame.gameId,
            version: frame.version,
            status: frame.status,
          });
          return;
        case "refused":
          answer(frame.commandId, { type: "refused", refusal: frame.refusal });
          return;
        case "entry":
          takeEntry(frame.gameId, frame.entry);
          return;
        case "table":
          for (const entry of frame.entries) takeEntry(frame.gameId, entry);
          return;
        default:
          return;
      }
    },
    onLost() {
      for (const command of pending.values()) {
        command.firstSentAt = null;
        command.lastSentAt = null;
      }
    },
    owedSince() {
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
