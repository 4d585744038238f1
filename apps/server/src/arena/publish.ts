import type { PlayerId } from "@holo/kernel/ids.ts";
import type { OpenGameView } from "@holo/protocol/views.ts";
import type { Entry } from "@holo/table/entry.ts";
import { isOpen } from "@holo/table/state.ts";
import type { Wallet } from "../ledger/ledger.ts";
import type { Bus } from "../platform/bus.ts";
import type { Time } from "../platform/time.ts";
import type { Clocks } from "./clocks.ts";
import { toEntryFrame, toTableFrame } from "./frames.ts";
import type { Lobby } from "./lobby.ts";
import type { WrittenEntry } from "./log-entry.ts";
import { isHere, seatOf, type Table } from "./table.ts";
import { toKept } from "./tables.ts";
import type { ArenaTopics } from "./topics.ts";
import { toTableMatchView } from "./views.ts";

/** Shows what was committed: to the table's watchers at once, and to who is touched by a start or an end. */
export interface Publisher {
  publish(table: Table, entry: Entry, written: WrittenEntry, wallets: readonly Wallet[]): void;
  /** Tells its players, wherever they are, why nobody played their game. */
  publishNotices(table: Table, entry: Entry): void;
  /** A rematch stands: its players are led there. */
  publishRematch(table: Table): void;
  /** A new game stands, and waits, unless others heard of it before this node did. */
  publishCreated(table: Table, wallets: readonly Wallet[]): void;
  publishWallets(wallets: readonly Wallet[]): void;
  /** The game began or ended: its players' one open game is another now, and lists show it otherwise. */
  publishStatus(table: Table): void;
}

export function openPublisher(bus: Bus<ArenaTopics>, lobby: Lobby, clocks: Clocks, time: Time): Publisher {
  let sequence = time.now() * 1_000;

  function publishOpenGame(playerId: PlayerId, openGame: OpenGameView | null): void {
    sequence += 1;
    bus.publish("player", { playerId, frame: { type: "open_game", openGame, sequence } });
  }

  function publishWallets(wallets: readonly Wallet[]): void {
    for (const wallet of wallets) {
      bus.publish("player", {
        playerId: wallet.playerId,
        frame: { type: "wallet", balance: String(wallet.balance), sequence: wallet.sequence },
      });
    }
  }

  function publishStatus({ state, players }: Table): void {
    const openGame = isOpen(state.status)
      ? { gameId: state.gameId, status: state.status as OpenGameView["status"] }
      : null;
    for (const playerId of state.players) if (playerId !== null) publishOpenGame(playerId, openGame);
    lobby.show(toTableMatchView(state, players));
  }

  function publishLapse(playerId: PlayerId): void {
    const text = "Nobody joined within 30 minutes. Your match has been cancelled and funds refunded";
    bus.publish("player", { playerId, frame: { type: "notice", title: "Match Cancelled", text } });
  }

  /** Wherever its players are by then. */
  function publishHouseCancel({ state }: Table, note: string): void {
    const text = `We had to cancel your game, and you have your whole entry back. The reason: ${note}`;
    for (const playerId of state.players) {
      if (playerId !== null)
        bus.publish("player", { playerId, frame: { type: "notice", title: "Game Cancelled", text } });
    }
  }

  function publishNotices(table: Table, { events }: Entry): void {
    const last = events.at(-1);
    if (last?.type === "cancelled" && last.reason === "not_joined") publishLapse(table.state.players[0]);
    if (last?.type === "cancelled" && last.reason === "house") publishHouseCancel(table, last.note ?? "");
  }

  return {
    publishNotices,
    publish(table, entry, written, wallets) {
      const kept = toKept(written);
      table.entries.push(kept);
      const mover = table.state.players[table.rules.toMove(table.state.position) - 1];
      let isSent = false;
      // Who joined has a name, which an entry does not carry.
      const isJoined = entry.events[0]?.type === "joined";
      // Who sat down may have watched before: they came without a word, and are here.
      if (isJoined) table.awaySinceAt[1] = isHere(table, 2) ? null : entry.at;
      for (const watcher of table.watchers) {
        const frame = isJoined
          ? toTableFrame(table, watcher, entry.version - 1, time.now())
          : toEntryFrame(table, kept, seatOf(table, watcher.player));
        watcher.send(frame);
        if (watcher.player !== null && watcher.player.id === mover) isSent = true;
      }
      // Not what came in the middle of a turn, such as the opponent's return: that turn goes on as it was.
      if (table.state.clock.turnStartedAt === entry.at) clocks.markSent(table, isSent);
      clocks.set(table);
      publishWallets(wallets);
      if (entry.events.some(({ type }) => type === "joined" || type === "ended" || type === "cancelled")) {
        publishStatus(table);
      }
      publishNotices(table, entry);
    },
    publishRematch(table) {
      // Its first turn begins now, unseen as yet as a rule: what this node lost before is nothing to it.
      if (table.sentAt === null) clocks.markSent(table, false);
      clocks.set(table);
      publishStatus(table);
    },
    publishCreated(table, wallets) {
      clocks.set(table);
      publishWallets(wallets);
      publishStatus(table);
    },
    publishWallets,
    publishStatus,
  };
}
