import type { PlayerId } from "@holo/kernel/ids.ts";
import type { OpenGameView } from "@holo/protocol/games.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { isOpen } from "@holo/table/state.ts";
import type { Wallet } from "../../ledger/ledger.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Lobby } from "../lobby/lobby.ts";
import { toTableMatchView } from "../lobby/match-view.ts";
import type { EncodedRecord } from "../log/log-record.ts";
import type { ArenaTopics } from "../topics.ts";
import type { Clocks } from "./clocks.ts";
import { toRecordFrame, toTableFrame } from "./frames.ts";
import { toSendable } from "./registry.ts";
import { isPresent, seatOf, type Table } from "./table.ts";

/** Shows what was committed: to the table's watchers at once, and to who is touched by a start or an end. */
export interface Broadcast {
  broadcastRecord(table: Table, record: LogRecord, written: EncodedRecord, wallets: readonly Wallet[]): void;
  /** Tells its players, wherever they are, why nobody played their game. */
  sendNotices(table: Table, record: LogRecord): void;
  /** A rematch stands: its players are led there. */
  broadcastRematch(table: Table): void;
  /** A new game stands, and waits, unless others heard of it before this node did. */
  broadcastCreated(table: Table, wallets: readonly Wallet[]): void;
  sendWallets(wallets: readonly Wallet[]): void;
  /** The game began or ended: its players' one open game is another now, and lists show it otherwise. */
  broadcastStatus(table: Table): void;
}

export function openBroadcast(bus: Bus<ArenaTopics>, lobby: Lobby, clocks: Clocks, time: Time): Broadcast {
  let sequence = time.now() * 1_000;

  function sendOpenGame(playerId: PlayerId, openGame: OpenGameView | null): void {
    sequence += 1;
    bus.publish("player", { playerId, frame: { type: "open_game", openGame, sequence } });
  }

  function sendWallets(wallets: readonly Wallet[]): void {
    for (const wallet of wallets) {
      bus.publish("player", {
        playerId: wallet.playerId,
        frame: { type: "wallet", balance: String(wallet.balance), sequence: wallet.sequence },
      });
    }
  }

  function broadcastStatus({ state, players }: Table): void {
    const openGame = isOpen(state.status)
      ? { gameId: state.gameId, status: state.status as OpenGameView["status"] }
      : null;
    for (const playerId of state.players) if (playerId !== null) sendOpenGame(playerId, openGame);
    lobby.update(toTableMatchView(state, players));
  }

  function sendLapseNotice(playerId: PlayerId): void {
    const text = "Nobody joined within 30 minutes. Your match has been cancelled and funds refunded";
    bus.publish("player", { playerId, frame: { type: "notice", title: "Match Cancelled", text } });
  }

  /** Wherever its players are by then. */
  function sendCancelNotice({ state }: Table, note: string): void {
    const text = `We had to cancel your game, and you have your whole entry back. The reason: ${note}`;
    for (const playerId of state.players) {
      if (playerId !== null)
        bus.publish("player", { playerId, frame: { type: "notice", title: "Game Cancelled", text } });
    }
  }

  function publishNotices(table: Table, { events }: LogRecord): void {
    const last = events.at(-1);
    if (last?.type === "cancelled" && last.reason === "not_joined") sendLapseNotice(table.state.players[0]);
    if (last?.type === "cancelled" && last.reason === "house") sendCancelNotice(table, last.note ?? "");
  }

  return {
    sendNotices: publishNotices,
    broadcastRecord(table, record, written, wallets) {
      const kept = toSendable(written);
      table.records.push(kept);
      const mover = table.state.players[table.rules.toMove(table.state.position) - 1];
      let isSent = false;
      // Who joined has a name, which an entry does not carry.
      const isJoined = record.events[0]?.type === "joined";
      // Who sat down may have watched before: they came without a word, and are here.
      if (isJoined) table.awaySinceAt[1] = isPresent(table, 2) ? null : record.at;
      for (const watcher of table.watchers) {
        const frame = isJoined
          ? toTableFrame(table, watcher, record.version - 1, time.now())
          : toRecordFrame(table, kept, seatOf(table, watcher.player));
        watcher.send(frame);
        if (watcher.player !== null && watcher.player.id === mover) isSent = true;
      }
      // Not what came in the middle of a turn, such as the opponent's return: that turn goes on as it was.
      if (table.state.clock.turnStartedAt === record.at) clocks.markPositionSent(table, isSent);
      clocks.schedule(table);
      sendWallets(wallets);
      if (record.events.some(({ type }) => type === "joined" || type === "ended" || type === "cancelled")) {
        broadcastStatus(table);
      }
      publishNotices(table, record);
    },
    broadcastRematch(table) {
      // Its first turn begins now, unseen as yet as a rule: what this node lost before is nothing to it.
      if (table.sentAt === null) clocks.markPositionSent(table, false);
      clocks.schedule(table);
      broadcastStatus(table);
    },
    broadcastCreated(table, wallets) {
      clocks.schedule(table);
      sendWallets(wallets);
      broadcastStatus(table);
    },
    sendWallets,
    broadcastStatus,
  };
}
