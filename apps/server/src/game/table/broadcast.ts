import type { PlayerId } from "@holo/kernel/ids.ts";
import type { OpenGameView } from "@holo/protocol/game/games.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { LogRecord, TableEvent } from "@holo/table/log-record.ts";
import { isOpen, isUnlisted, toOpponent } from "@holo/table/state.ts";
import { loadWallets, type Wallet } from "../../ledger/ledger.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Time } from "../../platform/time/time.ts";
import type { GameTopics, Waiting } from "../topics.ts";
import { toTableMatchView } from "./match-view.ts";
import type { TableView } from "./table-view.ts";

const OFFERS: { readonly [Type in TableEvent["type"]]?: Waiting } = {
  draw_offered: "draw",
  takeback_requested: "takeback",
  rematch_offered: "rematch",
};
const CHANGES_STATUS: ReadonlySet<string> = new Set(["joined", "ended", "cancelled"]);
const CHANGES_BOARD: ReadonlySet<string> = new Set(["moved", "taken_back"]);

export class Broadcast {
  readonly #queries: Queries;
  readonly #bus: Bus<GameTopics>;
  readonly #time: Time;
  #sequence = 0;

  constructor(queries: Queries, bus: Bus<GameTopics>, time: Time) {
    this.#queries = queries;
    this.#bus = bus;
    this.#time = time;
    // Later than the frames of other servers, whatever the difference of the clocks.
    bus.subscribe("player", ({ frame }) => {
      if (frame.type === "open_game") this.#sequence = Math.max(this.#sequence, frame.sequence);
    });
  }

  sendRecord(table: TableView, record: LogRecord, wallets: readonly Wallet[]): void {
    this.sendWallets(wallets);
    if (record.events.some(({ type }) => CHANGES_STATUS.has(type))) this.sendStatus(table);
    // The small boards move; the lists collect such changes.
    else if (record.events.some(({ type }) => CHANGES_BOARD.has(type))) this.sendListed(table);
    this.sendNotices(table, record);
    this.#sendOffer(table, record);
  }

  /** An offer that was answered at once, as by an earlier one of the opponent, waits for no one. */
  #sendOffer(table: TableView, { by, events }: LogRecord): void {
    const [event, ...others] = events;
    const offer = event === undefined ? undefined : OFFERS[event.type];
    if (by !== 0 && offer !== undefined && others.length === 0) this.sendWaiting(table, toOpponent(by), offer);
  }

  sendWaiting({ gameId, state }: TableView, seat: Seat, what: Waiting): void {
    const playerId = ofSeat(state.players, seat);
    if (playerId === null) return;
    this.#bus.publishHere("waiting", { playerId, gameId, for: what, version: state.version });
  }

  /** Explains to the players why the platform cancelled their game. */
  sendNotices({ state }: TableView, { events }: LogRecord): void {
    const last = events.at(-1);
    if (last?.type !== "cancelled") return;
    if (last.reason === "not_joined") {
      const text = "Nobody joined within 30 minutes. Your match has been cancelled and funds refunded";
      this.#sendNotice(state.players[0], "Match Cancelled", text);
    }
    if (last.reason === "staff") {
      const text = `We had to cancel your game, and you have your whole entry back. The reason: ${last.note ?? ""}`;
      for (const playerId of state.players) if (playerId !== null) this.#sendNotice(playerId, "Game Cancelled", text);
    }
  }

  /** `everywhere` is false if the other servers know. */
  sendWallets(wallets: readonly Wallet[], everywhere = true): void {
    for (const { playerId, balance, sequence } of wallets) {
      this.#push(playerId, { type: "wallet", balance: String(balance), sequence }, everywhere);
    }
  }

  sendStatus(table: TableView, everywhere = true): void {
    const { state } = table;
    const openGame = isOpen(state.status)
      ? { gameId: state.gameId, status: state.status as OpenGameView["status"] }
      : null;
    for (const playerId of state.players) if (playerId !== null) this.sendOpenGame(playerId, openGame, everywhere);
    this.sendListed(table, everywhere);
  }

  /** As lists show it. */
  sendListed({ state, players }: Pick<TableView, "state" | "players">, everywhere = true): void {
    if (!isUnlisted(state)) this.#publish("match", { match: toTableMatchView(state, players) }, everywhere);
  }

  async sendStatusAndWallets(table: TableView): Promise<void> {
    const wallets = await this.loadWallets(table.state);
    this.sendStatus(table);
    this.sendWallets(wallets);
  }

  async loadWallets({ players }: Pick<TableView["state"], "players">): Promise<readonly Wallet[]> {
    return await loadWallets(
      this.#queries,
      players.filter((id) => id !== null),
    );
  }

  sendOpenGame(playerId: PlayerId, openGame: OpenGameView | null, everywhere: boolean): void {
    this.#sequence = Math.max(this.#sequence + 1, this.#time.now() * 1_000);
    this.#push(playerId, { type: "open_game", openGame, sequence: this.#sequence }, everywhere);
  }

  #sendNotice(playerId: PlayerId, title: string, text: string): void {
    this.#push(playerId, { type: "notice", title, text }, true);
  }

  #push(playerId: PlayerId, frame: ServerFrame, everywhere: boolean): void {
    this.#publish("player", { playerId, frame }, everywhere);
  }

  #publish<Topic extends "player" | "match">(topic: Topic, message: GameTopics[Topic], everywhere: boolean): void {
    if (everywhere) this.#bus.publish(topic, message);
    else this.#bus.publishHere(topic, message);
  }
}
