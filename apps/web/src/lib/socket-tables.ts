import type { ServerFrame, TableFrame, WatchFrame } from "@holo/protocol/frames.ts";
import type { ChatMessageView } from "@holo/protocol/views.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { Entry } from "@holo/table/entry.ts";
import { PROBE_AFTER_MS, RESEND_AFTER_MS } from "./socket-line.ts";

export interface TableHandlers {
  /** The table as the server has it; its `entries` are only those not yet given, in order, without gaps. */
  readonly onTable: (frame: TableFrame) => void;
  /** One more entry, each once and in order. */
  readonly onEntry: (entry: Entry) => void;
  readonly onPresence: (seat: Seat, sinceAt: number | null) => void;
  /** What the players wrote, each message once and in order; only a player is ever sent any. */
  readonly onChat?: ((messages: readonly ChatMessageView[]) => void) | undefined;
  /** There is no such game. */
  readonly onMissing: () => void;
  /** The connection is gone; the table comes again with the next one. */
  readonly onLost?: () => void;
}

export interface TableWatch {
  /** Asks for everything again from the first entry. */
  restart(): void;
  /** Asks for the table as it is now, beside what it gives anyway. */
  refresh(): void;
  stop(): void;
}

interface Watched {
  readonly gameId: string;
  readonly handlers: TableHandlers;
  /** The newest version given to the handlers. */
  version: number;
  /** The newest chat message given to the handlers. */
  chatNumber: number;
  /** When a `watch` went out that is not answered yet; of several the first. */
  askedAt: number | null;
  /** When the newest one went out. */
  saidAt: number;
  /** When the server last said how the table stands. */
  heardAt: number;
}

export interface Tables {
  watch(gameId: string, handlers: TableHandlers): TableWatch;
  askAll(): void;
  /** Asks about tables of which nothing was heard for a while, whatever else the connection says meanwhile. */
  probe(): void;
  take(frame: ServerFrame): void;
  onLost(): void;
  owedSince(): number | null;
}

/** The tables this page looks at. Whatever the connection does, each of their entries arrives once and in order. */
export function createTables(say: (frame: WatchFrame) => boolean, now: () => number): Tables {
  const watched = new Set<Watched>();

  function ask(table: Watched): void {
    const { gameId, version: since, chatNumber: chatSince, handlers } = table;
    const frame: WatchFrame = { type: "watch", gameId, since };
    if (!say(handlers.onChat === undefined ? frame : { ...frame, chatSince })) return;
    table.saidAt = now();
    table.askedAt ??= table.saidAt;
  }

  function give(table: Watched, frame: TableFrame): void {
    const entries = frame.entries.filter((entry) => entry.version > table.version);
    // an answer to an earlier question, from before the table was started again: its own answer is still to come
    if (frame.since > table.version) return;
    table.askedAt = null;
    table.heardAt = now();
    table.version = Math.max(table.version, entries.at(-1)?.version ?? 0);
    table.handlers.onTable({ ...frame, entries });
  }

  function giveEntry(table: Watched, entry: Entry): void {
    if (entry.version <= table.version) return;
    if (entry.version > table.version + 1) {
      if (table.askedAt === null) ask(table);
      return;
    }
    table.version = entry.version;
    table.heardAt = now();
    table.handlers.onEntry(entry);
  }

  function giveChat(table: Watched, messages: readonly ChatMessageView[], isRest: boolean): void {
    const fresh = messages.filter(({ number }) => number > table.chatNumber);
    const [first] = fresh;
    if (first === undefined) return;
    if (first.number > table.chatNumber + 1 && !isRest) {
      if (table.askedAt === null) ask(table);
      return;
    }
    table.chatNumber = fresh.at(-1)!.number;
    table.handlers.onChat?.(fresh);
  }

  function of(gameId: string): readonly Watched[] {
    return [...watched].filter((table) => table.gameId === gameId);
  }

  return {
    watch(gameId, handlers) {
      const table: Watched = {
        gameId,
        handlers,
        version: 0,
        chatNumber: 0,
        askedAt: null,
        saidAt: now(),
        heardAt: now(),
      };
      watched.add(table);
      ask(table);
      return {
        restart() {
          table.version = 0;
          ask(table);
        },
        refresh: () => ask(table),
        stop() {
          if (watched.delete(table) && of(gameId).length === 0) say({ type: "unwatch", gameId });
        },
      };
    },
    askAll() {
      for (const table of watched) ask(table);
    },
    probe() {
      for (const table of watched) {
        const isQuiet = table.askedAt === null && now() - table.heardAt >= PROBE_AFTER_MS;
        const isUnanswered = table.askedAt !== null && now() - table.saidAt >= RESEND_AFTER_MS;
        if (isQuiet || isUnanswered) ask(table);
      }
    },
    take(frame) {
      switch (frame.type) {
        case "table":
          for (const table of of(frame.gameId)) give(table, frame);
          return;
        case "entry":
          for (const table of of(frame.gameId)) giveEntry(table, frame.entry);
          return;
        case "presence":
          for (const table of of(frame.gameId)) table.handlers.onPresence(frame.seat, frame.sinceAt);
          return;
        case "chat":
          for (const table of of(frame.gameId)) giveChat(table, frame.messages, frame.isRest ?? false);
          return;
        case "no_table":
          for (const table of of(frame.gameId)) {
            table.askedAt = null;
            table.handlers.onMissing();
          }
          return;
        default:
          return;
      }
    },
    onLost() {
      for (const table of watched) {
        table.askedAt = null;
        table.handlers.onLost?.();
      }
    },
    owedSince() {
      const asked = [...watched].flatMap((table) => (table.askedAt === null ? [] : [table.askedAt]));
      return asked.length === 0 ? null : Math.min(...asked);
    },
  };
}
