import { type CommandId, type GameId, type PlayerId, toCommandId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/arena/games.ts";
import { isUnlisted } from "@holo/table/state.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { performance, randomUUID } from "../../platform/runtime.ts";
import type { Time } from "../../platform/time/time.ts";
import { type Answer, type Refusal, refused, UNKNOWN } from "../answer.ts";
import type { SettlementHook } from "../log/settlement.ts";
import type { Invitations } from "../matchmaking/invitations.ts";
import { findCommand, loadOpenGame } from "../matchmaking/seat-store.ts";
import { toJoinContent } from "../matchmaking/terms.ts";
import type { SessionCheck } from "../matchmaking/who-may-sit.ts";
import type { Gateway } from "./gateway.ts";
import { checkOffer, type OfferType } from "./offer-check.ts";
import { type AnswerOrder, type MoveOrder, type Order, toCommand } from "./orders.ts";
import { type Arrival, UNMEASURED } from "./queued-command.ts";
import type { Table } from "./table.ts";
import type { Tables } from "./tables.ts";

interface CommandOptions {
  readonly session?: SessionCheck | undefined;
  /** Its player no longer expects it: refused as `too_late` unless it was carried out before. */
  readonly isLate?: boolean | undefined;
}

interface JoinOptions extends CommandOptions {
  /** As the player sent it; a game by invitation requires it (ruling 42). */
  readonly invitation?: string | undefined;
}

interface OfferOptions extends CommandOptions {
  /** With draws and takebacks: refused if the opponent has made another number of moves. */
  readonly opponentMoves?: number | undefined;
}

/** Commands to existing tables: idempotent by their id, answered once they are on disk. */
export interface Commands {
  join(player: PlayerView, gameId: GameId, commandId: CommandId, options?: JoinOptions): Promise<Answer>;
  /** `whileWaiting` refuses `already_started` once an opponent has joined. */
  cancel(playerId: PlayerId, gameId: GameId, commandId: CommandId, whileWaiting?: boolean): Promise<Answer>;
  /** Cancels and refunds the player's waiting game, if any (ruling 27). */
  cancelWaiting(playerId: PlayerId): Promise<void>;
  /**
   * Cancels an active game, refunds both players and shows them the note. Does not count towards a
   * cool-down (ruling 17). Refuses, among others, what `hook` refuses.
   */
  cancelByStaff(gameId: GameId, note: string, hook: SettlementHook): Promise<Answer>;
  resign(playerId: PlayerId, gameId: GameId, commandId: CommandId): Promise<Answer>;
  /** `feeBps` is the fee that was shown with a rematch; default: the one in force. */
  offer(
    type: OfferType,
    playerId: PlayerId,
    gameId: GameId,
    commandId: CommandId,
    feeBps?: number,
    options?: OfferOptions,
  ): Promise<Answer>;
  answerOffer(order: AnswerOrder): Promise<Answer>;
  /** The hot path: answers by callback. `lagMs`: of the connection that carried it (ruling 39). */
  move(order: MoveOrder & { readonly lagMs: number }, answer: (answer: Answer) => void): void;
}

interface CommandsDeps {
  readonly queries: Queries;
  readonly gateway: Gateway;
  readonly metrics: Metrics;
  readonly time: Time;
  readonly feeBps: () => number;
  readonly invitations: Invitations;
}

/** Histogram of the time from a move's arrival to its answer, which follows the commit. */
export const MOVE_SECONDS = "holo_move_seconds";
/** Seconds, finer where most moves are. */
const BUCKETS = [0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export function openCommands({ queries, gateway, metrics, time, feeBps, invitations }: CommandsDeps): Commands {
  const moveSeconds = metrics.histogram(MOVE_SECONDS, "Seconds from a move's arrival to its answer", BUCKETS);

  function ask(order: Order): Promise<Answer> {
    return new Promise((answer) => gateway.command(order, 0, answer));
  }

  const cancel: Commands["cancel"] = (player, gameId, commandId, whileWaiting = false) =>
    ask({ type: "cancel", player, gameId, commandId, whileWaiting });

  return {
    cancel,
    async join(view, gameId, commandId, { invitation, session, isLate } = {}) {
      const isInvited = invitation !== undefined && invitations.parse(invitation) === gameId;
      const pairing = isInvited ? "invitation" : "address";
      const answer = await ask({ type: "join", player: view.id, view, gameId, commandId, pairing, session, isLate });
      if (answer.type !== "refused") return answer;
      const earlier = await findCommand(queries, view.id, commandId);
      return earlier === null || earlier.content === toJoinContent(gameId) ? answer : refused("command_id_reused");
    },
    async cancelWaiting(playerId) {
      const openGame = await loadOpenGame(queries, playerId);
      // A refusal means that the game has started or ended meanwhile.
      if (openGame?.status === "waiting") await cancel(playerId, openGame.gameId, toCommandId(randomUUID()), true);
    },
    async cancelByStaff(gameId, note, hook) {
      const table = await gateway.takeOver(gameId);
      if (table === null) return refused("unknown_game");
      const command = { type: "cancel_by_staff", note } as const;
      return await new Promise((resolve) =>
        table.enqueue({ command, at: time.now(), ...UNMEASURED, hook, answer: (given) => resolve(given ?? UNKNOWN) }),
      );
    },
    resign: (player, gameId, commandId) => ask({ type: "resign", player, gameId, commandId }),
    offer: (offer, player, gameId, commandId, shownFeeBps = feeBps(), options = {}) =>
      ask({ type: "offer", offer, player, gameId, commandId, feeBps: shownFeeBps, ...options }),
    answerOffer: (order) => ask(order),
    move({ lagMs, ...order }, answer) {
      const startedMs = performance.now();
      gateway.command({ type: "move", ...order }, lagMs, (given) => {
        if (given.type === "done" && !given.isRepeat) moveSeconds.observe((performance.now() - startedMs) / 1_000);
        answer(given);
      });
    },
  };
}

interface OrdersDeps {
  readonly queries: Queries;
  readonly tables: Tables;
  readonly time: Time;
  readonly log: Log;
  readonly feeBps: () => number;
  readonly isReachable: (playerId: PlayerId) => boolean;
}

/** Returns what carries out an order at a table of this server. `null`: route it again. */
export function makeOrderTaker(
  deps: OrdersDeps,
): (table: Table, order: Order, arrival: Arrival, answer: (answer: Answer | null) => void) => void {
  const { queries, time, log, feeBps, isReachable } = deps;

  function enqueue(table: Table, order: Order, arrival: Arrival, answer: (answer: Answer | null) => void): void {
    const { session, isLate } = { session: undefined, isLate: undefined, ...order };
    const joiner = order.type === "join" && isLate !== true ? order.view : undefined;
    table.enqueue({ command: toCommand(order), ...arrival, answer, session, isLate, joiner });
  }

  async function check(table: Table, order: Order): Promise<Refusal | null> {
    if (isKnown(table, order.commandId)) return null;
    if (order.type === "join") return checkCreator(table, order.pairing === "invitation");
    if (order.type !== "offer") return null;
    const { offer: type, player, feeBps: shownFeeBps } = order;
    return await checkOffer(queries, time, table, player, { type, feeBps: shownFeeBps, feeInForceBps: feeBps() });
  }

  /** Ruling 38: a game that is hidden because its creator is away cannot be joined by address. */
  function checkCreator(table: Table, isInvited: boolean): Refusal | null {
    const { status, players } = table.state;
    // The table refuses a player without the link, who must not learn that the game exists.
    if (isUnlisted(table.state) && !isInvited) return null;
    return status !== "waiting" || isReachable(players[0]) ? null : { code: "creator_away", figures: {} };
  }

  async function checkAndEnqueue(
    table: Table,
    order: Order,
    arrival: Arrival,
    answer: (answer: Answer | null) => void,
  ): Promise<void> {
    const { refusals } = deps.tables;
    const command = toCommand(order);
    // A check takes several queries: on a slow database no copy would be answered in time.
    const kept = isKnown(table, order.commandId) ? undefined : refusals.find(table.gameId, command);
    if (kept !== undefined) return answer(kept);
    try {
      const refusal = await check(table, order);
      if (refusal === null || isKnown(table, order.commandId)) return enqueue(table, order, arrival, answer);
      const given = refused(refusal.code, refusal.figures);
      refusals.keep(table.gameId, command, given);
      answer(given);
    } catch (err) {
      log.error({ err, gameId: table.gameId }, "a command could not be checked");
      // An earlier copy may have been committed.
      answer(UNKNOWN);
    }
  }

  return (table, order, arrival, answer) => {
    const isLate = "isLate" in order && order.isLate === true;
    const isChecked = order.type === "offer" || (order.type === "join" && order.pairing !== "matchmaking");
    if (isChecked && !isLate) void checkAndEnqueue(table, order, arrival, answer);
    else enqueue(table, order, arrival, answer);
  };
}

/** Whether a command has its answer already, or will get it from the queue. */
function isKnown(table: Table, id: CommandId): boolean {
  return table.state.answered.find(id) !== null || table.isQueued(id);
}
