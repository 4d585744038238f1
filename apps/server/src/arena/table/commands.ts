import { randomUUID } from "node:crypto";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/games.ts";
import type { Promotion, Square } from "@holo/rules/rules.ts";
import type { TableCommand } from "@holo/table/command.ts";
import type { OfferAnswer } from "@holo/table/log-record.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { StallMeter } from "../../platform/time/stall-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import { type Answer, type Refusal, refused } from "../answer.ts";
import { findCommand, loadOpenGame } from "../log/game-store.ts";
import { toJoinContent } from "../matchmaking/seating.ts";
import type { MoveTimes } from "./move-times.ts";
import { checkOffer, type OfferType } from "./offer-check.ts";
import type { TableRegistry } from "./registry.ts";
import { measureDelivery, type SettlementHook, type Table } from "./table.ts";
import type { TableActors } from "./table-actor.ts";

export interface MoveOrder {
  readonly player: PlayerId;
  readonly commandId: CommandId;
  readonly gameId: GameId;
  readonly atVersion: number;
  readonly path: readonly Square[];
  readonly promotion?: Promotion;
}

export type AnswerOrder = {
  readonly player: PlayerId;
  readonly commandId: CommandId;
  readonly gameId: GameId;
  /** The version of the entry that made the offer. */
  readonly offer: number;
} & (
  | {
      readonly type: "answer_draw" | "answer_takeback";
      readonly answer: OfferAnswer;
      readonly atVersion: number;
    }
  | { readonly type: "answer_rematch"; readonly answer: Exclude<OfferAnswer, "decline_all"> }
);

/** What is asked of a table that is there. Commands are idempotent by their id and answered once they are on disk. */
export interface Commands {
  join(player: PlayerView, gameId: GameId, commandId: CommandId): Promise<Answer>;
  cancel(playerId: PlayerId, gameId: GameId, commandId: CommandId): Promise<Answer>;
  /** Cancels the waiting game of a player who has one, and refunds it; for one whom nobody may join any more (ruling 27). */
  cancelWaiting(playerId: PlayerId): Promise<void>;
  /**
   * Cancels an active game for the house and refunds both, once; they are shown the note. Counts for nobody's pause (ruling 17). Refuses
   * `unknown_game`, `game_over`, `not_started`, and what the permit refuses, which is asked in the transaction and writes what belongs to it.
   */
  cancelByStaff(gameId: GameId, note: string, permit: SettlementHook): Promise<Answer>;
  resign(playerId: PlayerId, gameId: GameId, commandId: CommandId): Promise<Answer>;
  /** @param feeBps the fee that who offers a rematch was shown; left out, and for what costs nothing: the one in force */
  offer(type: OfferType, playerId: PlayerId, gameId: GameId, commandId: CommandId, feeBps?: number): Promise<Answer>;
  answerOffer(order: AnswerOrder): Promise<Answer>;
  /** The hot path: answers by a call, so that a move costs no promise. */
  move(order: MoveOrder, answer: (answer: Answer) => void): void;
}

export interface CommandsDeps {
  readonly queries: Queries;
  readonly tables: TableRegistry;
  readonly actors: TableActors;
  readonly stalls: StallMeter;
  readonly moveTimes: MoveTimes;
  readonly time: Time;
  readonly log: Log;
  readonly feeBps: () => number;
  /** Whether no more is taken. */
  readonly isClosed: () => boolean;
}

export function openCommands(deps: CommandsDeps): Commands {
  const { queries, tables, actors, time, log, isClosed } = deps;

  /** Hands a command to its table, read from the database first where it is not served here yet. */
  async function send(
    gameId: GameId,
    toCommand: (table: Table) => TableCommand,
    answer: (answer: Answer) => void,
    {
      joiner,
      check,
      permit,
    }: {
      readonly joiner?: PlayerView;
      readonly check?: (table: Table) => Promise<Refusal | null>;
      readonly permit?: SettlementHook;
    } = {},
  ): Promise<void> {
    const at = time.now();
    try {
      let table = isClosed() ? null : (tables.find(gameId) ?? (await tables.load(gameId)));
      if (table !== null && check !== undefined) {
        const refusal = await check(table);
        if (refusal !== null) return answer({ type: "refused", ...refusal });
        // While the database was asked, the table may have been let go and read again by another.
        table = isClosed() ? null : await tables.load(gameId);
      }
      if (table === null) return answer(refused(isClosed() ? "unavailable" : "unknown_game"));
      actors.enqueue(table, {
        command: toCommand(table),
        at,
        answer,
        ...(joiner === undefined ? {} : { joiner }),
        ...(permit === undefined ? {} : { hook: permit }),
      });
    } catch (err) {
      log.error({ err, gameId }, "a command could not reach its table");
      answer(refused("something_went_wrong"));
    }
  }

  const measure = (table: Table) => measureDelivery(table, deps.stalls.stalledMs());

  async function join(player: PlayerView, gameId: GameId, commandId: CommandId): Promise<Answer> {
    const playerId = player.id as PlayerId;
    const earlier = await findCommand(queries, playerId, commandId);
    if (earlier !== null && earlier.content !== toJoinContent(gameId)) return refused("command_id_reused");
    const command: TableCommand = { type: "join", id: commandId, player: playerId };
    return await new Promise<Answer>((answer) => void send(gameId, () => command, answer, { joiner: player }));
  }

  function offer(
    type: OfferType,
    player: PlayerId,
    gameId: GameId,
    id: CommandId,
    feeBps = deps.feeBps(),
  ): Promise<Answer> {
    const nextGameId = randomUUID() as GameId;
    const toCommand = (table: Table): TableCommand => {
      if (type === "offer_rematch") return { type, id, player, feeBps, nextGameId };
      return type === "offer_draw" ? { type, id, player } : { type, id, player, delivery: measure(table) };
    };
    const check = async (table: Table): Promise<Refusal | null> =>
      // What was carried out before gets its answer again, whatever has become of it since.
      table.state.answered.find(id) === null
        ? await checkOffer(queries, time, table, player, { type, feeBps, feeInForceBps: deps.feeBps() })
        : null;
    return new Promise((answer) => void send(gameId, toCommand, answer, { check }));
  }

  function answerOffer(order: AnswerOrder): Promise<Answer> {
    const { player, commandId: id, gameId, offer: toOffer } = order;
    const base = { id, player, offer: toOffer };
    const toCommand = (table: Table): TableCommand =>
      order.type === "answer_rematch"
        ? { ...base, type: order.type, answer: order.answer, nextGameId: randomUUID() as GameId }
        : { ...base, type: order.type, answer: order.answer, atVersion: order.atVersion, delivery: measure(table) };
    return new Promise((answer) => void send(gameId, toCommand, answer));
  }

  function sendSimple(type: "cancel" | "resign", player: PlayerId, gameId: GameId, id: CommandId): Promise<Answer> {
    return new Promise((answer) => void send(gameId, () => ({ type, id, player }), answer));
  }

  async function cancelWaiting(playerId: PlayerId): Promise<void> {
    const openGame = await loadOpenGame(queries, playerId);
    if (openGame?.status !== "waiting") return;
    // Refused only where it has gone meanwhile.
    await sendSimple("cancel", playerId, openGame.gameId as GameId, randomUUID() as CommandId);
  }

  return {
    join,
    cancel: (player, gameId, id) => sendSimple("cancel", player, gameId, id),
    cancelWaiting,
    cancelByStaff: (gameId, note, permit) =>
      new Promise((answer) => void send(gameId, () => ({ type: "cancel_by_house", note }), answer, { permit })),
    resign: (player, gameId, id) => sendSimple("resign", player, gameId, id),
    offer,
    answerOffer,
    move(order, answer) {
      const { player, commandId, gameId, atVersion, path, promotion } = order;
      void send(
        gameId,
        (table) => ({
          type: "move",
          id: commandId,
          player,
          atVersion,
          path,
          ...(promotion === undefined ? {} : { promotion }),
          delivery: measure(table),
        }),
        deps.moveTimes.start(answer),
      );
    },
  };
}
