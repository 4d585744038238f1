import type { PlayerId } from "@holo/kernel/ids.ts";
import type { OpenGameView } from "@holo/protocol/games.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { isOpen, isUnlisted } from "@holo/table/state.ts";
import { loadWallets, type Wallet } from "../../ledger/ledger.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Lobby } from "../lobby/lobby.ts";
import { toTableMatchView } from "../lobby/match-view.ts";
import type { WaitingGames } from "../matchmaking/waiting-games.ts";
import type { ArenaTopics } from "../topics.ts";
import type { Table } from "./table.ts";

const CHANGES_STATUS: ReadonlySet<string> = new Set(["joined", "ended", "cancelled"]);

/** Sends what a table's records change beyond its watchers: to its players and to the lobby. */
export class Broadcast {
  readonly #queries: Queries;
  readonly #bus: Bus<ArenaTopics>;
  readonly #lobby: Lobby;
  readonly #waitingGames: WaitingGames;
  #sequence: number;

  constructor(queries: Queries, bus: Bus<ArenaTopics>, lobby: Lobby, waitingGames: WaitingGames, time: Time) {
    this.#queries = queries;
    this.#bus = bus;
    this.#lobby = lobby;
    this.#waitingGames = waitingGames;
    this.#sequence = time.now() * 1_000;
  }

  sendRecord(table: Table, record: LogRecord, wallets: readonly Wallet[]): void {
    this.sendWallets(wallets);
    if (record.events.some(({ type }) => CHANGES_STATUS.has(type))) this.sendStatus(table);
    this.sendNotices(table, record);
  }

  /** Explains to the players why the platform cancelled their game. */
  sendNotices({ state }: Table, { events }: LogRecord): void {
    const last = events.at(-1);
    if (last?.type !== "cancelled") return;
    if (last.reason === "not_joined") {
      const text = "Nobody joined within 30 minutes. Your match has been cancelled and funds refunded";
      this.#sendNotice(state.players[0], "Match Cancelled", text);
    }
    if (last.reason === "house") {
      const text = `We had to cancel your game, and you have your whole entry back. The reason: ${last.note ?? ""}`;
      for (const playerId of state.players) if (playerId !== null) this.#sendNotice(playerId, "Game Cancelled", text);
    }
  }

  sendWallets(wallets: readonly Wallet[]): void {
    for (const { playerId, balance, sequence } of wallets) {
      this.#bus.publish("player", { playerId, frame: { type: "wallet", balance: String(balance), sequence } });
    }
  }

  /** Sends the players their open game and updates the lobby. */
  sendStatus({ state, players }: Table): void {
    this.#waitingGames.update(state);
    const openGame = isOpen(state.status)
      ? { gameId: state.gameId, status: state.status as OpenGameView["status"] }
      : null;
    for (const playerId of state.players) if (playerId !== null) this.#sendOpenGame(playerId, openGame);
    if (!isUnlisted(state)) this.#lobby.update(toTableMatchView(state, players));
  }

  /** Sends status and wallets after records that this node did not write. */
  async sendStatusAndWallets(table: Table): Promise<void> {
    const wallets = await this.loadWallets(table.state);
    this.sendStatus(table);
    this.sendWallets(wallets);
  }

  async loadWallets({ players }: Pick<Table["state"], "players">): Promise<readonly Wallet[]> {
    return await loadWallets(
      this.#queries,
      players.filter((id) => id !== null),
    );
  }

  #sendOpenGame(playerId: PlayerId, openGame: OpenGameView | null): void {
    this.#sequence += 1;
    this.#bus.publish("player", { playerId, frame: { type: "open_game", openGame, sequence: this.#sequence } });
  }

  #sendNotice(playerId: PlayerId, title: string, text: string): void {
    this.#bus.publish("player", { playerId, frame: { type: "notice", title, text } });
  }
}
