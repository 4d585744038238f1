import { type CommandId, type GameId, type PlayerId, toCommandId, toGameId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/arena/games.ts";
import type { Promotion, Square } from "@holo/rules/rules.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import type { TableCommand } from "@holo/table/command.ts";
import type { OfferAnswer } from "@holo/table/log-record.ts";
import { isUnlisted } from "@holo/table/state.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { performance, randomUUID } from "../../platform/runtime.ts";
import type { OutageMeter } from "../../platform/time/outage-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import { type Answer, type Refusal, type Refused, refused, UNKNOWN } from "../answer.ts";
import type { SettlementHook } from "../log/settlement.ts";
import type { Invitations } from "../matchmaking/invitations.ts";
import { findCommand, loadOpenGame } from "../matchmaking/seat-store.ts";
import { toJoinContent } from "../matchmaking/terms.ts";
import type { SessionCheck } from "../matchmaking/who-may-sit.ts";
import { checkOffer, type OfferType } from "./offer-check.ts";
import type { TableRegistry } from "./registry.ts";
import type { QueuedCommand } from "./table.ts";
import type { TableActor } from "./table-actor.ts";

interface MoveOrder {
  readonly player: PlayerId;
  readonly commandId: CommandId;
  readonly gameId: GameId;
  readonly atVersion: number;
  readonly path: readonly Square[];
  readonly promotion?: Promotion;
  /** Network time of the connection that carried the move (ruling 39). */
  readonly lagMs: number;
}

interface JoinOptions extends SeatOptions {
  /** As the player sent it; a game by invitation requires it (ruling 42). */
  readonly invitation?: string | undefined;
}

interface SeatOptions {
  readonly session?: SessionCheck | undefined;
  /** Its player no longer expects it: refused as `too_late` unless it was carried out before. */
  readonly isLate?: boolean | undefined;
}

interface OfferOptions extends SeatOptions {
  /** With draws and takebacks: refused if the opponent has made another number of moves. */
  readonly opponentMoves?: number | undefined;
}

type AnswerOrder = SeatOptions & {
  readonly player: PlayerId;
  readonly commandId: CommandId;
  readonly gameId: GameId;
  readonly offer: number;
} & (
    | {
        readonly type: "answer_draw" | "answer_takeback";
        readonly answer: OfferAnswer;
        readonly atVersion: number;
      }
    | { readonly type: "answer_rematch"; readonly answer: Exclude<OfferAnswer, "decline_all"> }
  );

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
  /** The hot path: answers by callback, so that a move costs no promise. */
  move(order: MoveOrder, answer: (answer: Answer) => void): void;
}

interface CommandsDeps {
  readonly queries: Queries;
  readonly tables: TableRegistry;
  readonly metrics: Metrics;
  readonly time: Time;
  readonly outages: OutageMeter;
  readonly log: Log;
  readonly feeBps: () => number;
  readonly invitations: Invitations;
  readonly isReachable: (playerId: PlayerId) => boolean;
}

/** Histogram of the time from a move's arrival to its answer, which follows the commit. */
export const MOVE_SECONDS = "holo_move_seconds";
/** Seconds, finer where most moves are. */
const BUCKETS = [0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1, 2, 5, 10];

type ToCommand = () => TableCommand;
type SendOptions = Pick<QueuedCommand, "joiner" | "hook" | "session" | "isLate"> & {
  readonly lagMs?: number;
  readonly check?: (table: TableActor) => Promise<Refusal | null>;
};

export function openCommands(deps: CommandsDeps): Commands {
  const { queries, time, metrics, feeBps, invitations, isReachable } = deps;
  const moveSeconds = metrics.histogram(MOVE_SECONDS, "Seconds from a move's arrival to its answer", BUCKETS);

  function ask(gameId: GameId, toCommand: ToCommand, options: SendOptions = {}): Promise<Answer> {
    return new Promise((answer) => void send(deps, gameId, toCommand, answer, options));
  }

  /** Ruling 38: a game that is hidden because its creator is away cannot be joined by address. */
  async function checkCreator(table: TableActor, id: CommandId, isInvited: boolean): Promise<Refusal | null> {
    const { status, players } = table.state;
    // The table refuses a player without the link, who must not learn that the game exists.
    if (isUnlisted(table.state) && !isInvited) return null;
    if (status !== "waiting" || isReachable(players[0]) || isKnown(table, id)) return null;
    return { code: "creator_away", figures: {} };
  }

  const cancel: Commands["cancel"] = (player, gameId, id, whileWaiting) =>
    ask(gameId, () => ({ type: "cancel", id, player, whileWaiting }));

  return {
    cancel,
    async join(player, gameId, id, { invitation, session, isLate = false } = {}) {
      const playerId = player.id;
      const isInvited = invitation !== undefined && invitations.parse(invitation) === gameId;
      const pairing = isInvited ? "invitation" : "address";
      const check = (table: TableActor): Promise<Refusal | null> => checkCreator(table, id, isInvited);
      const options = isLate ? { isLate } : { joiner: player, session, check };
      const answer = await ask(gameId, () => ({ type: "join", id, player: playerId, pairing }), options);
      if (answer.type !== "refused") return answer;
      const earlier = await findCommand(queries, playerId, id);
      return earlier === null || earlier.content === toJoinContent(gameId) ? answer : refused("command_id_reused");
    },
    async cancelWaiting(playerId) {
      const openGame = await loadOpenGame(queries, playerId);
      // A refusal means that the game has started or ended meanwhile.
      if (openGame?.status === "waiting") await cancel(playerId, openGame.gameId, toCommandId(randomUUID()), true);
    },
    cancelByStaff: (gameId, note, hook) => ask(gameId, () => ({ type: "cancel_by_staff", note }), { hook }),
    resign: (player, gameId, id) => ask(gameId, () => ({ type: "resign", id, player })),
    offer(type, player, gameId, id, shownFeeBps = feeBps(), { session, isLate = false, opponentMoves } = {}) {
      const request = { type, feeBps: shownFeeBps, opponentMoves };
      const check = async (table: TableActor): Promise<Refusal | null> =>
        // A repeated command gets its first answer, whatever has changed since.
        isKnown(table, id)
          ? null
          : await checkOffer(queries, time, table, player, { ...request, feeInForceBps: feeBps() });
      return ask(gameId, () => toOffer(request, player, id), isLate ? { isLate } : { check, session });
    },
    answerOffer: ({ session, isLate, ...order }) => ask(order.gameId, () => toOfferAnswer(order), { session, isLate }),
    move(order, answer) {
      const startedMs = performance.now();
      void send(
        deps,
        order.gameId,
        () => toMove(order),
        (given) => {
          if (given.type === "done" && !given.isRepeat) moveSeconds.observe((performance.now() - startedMs) / 1_000);
          answer(given);
        },
        { lagMs: order.lagMs },
      );
    },
  };
}

function isStored(table: TableActor, command: TableCommand): boolean {
  return "id" in command && table.state.answered.find(command.id) !== null;
}

/** Whether a command has its answer already, or will get it from the queue. */
function isKnown(table: TableActor, id: CommandId): boolean {
  return table.state.answered.find(id) !== null || table.isQueued(id);
}

/** Queues a command at its table, which is read from the database if it is not in memory. */
async function send(
  { tables, time, outages, log }: CommandsDeps,
  gameId: GameId,
  toCommand: ToCommand,
  answer: (answer: Answer) => void,
  { check, lagMs = 0, ...queued }: SendOptions = {},
): Promise<void> {
  const at = time.now();
  const lostMs = outages.lostMs();
  try {
    let table = tables.isClosing ? null : (tables.find(gameId) ?? (await tables.load(gameId)));
    if (table !== null && check !== undefined) {
      const command = toCommand();
      // A check takes several queries: on a slow database no copy would be answered in time.
      const kept = isStored(table, command) ? undefined : tables.refusals.find(gameId, command);
      if (kept !== undefined) return answer(kept);
      const refusal = await check(table);
      if (refusal !== null && !("id" in command && isKnown(table, command.id))) {
        const refusedNow: Refused = { type: "refused", ...refusal };
        tables.refusals.keep(gameId, command, refusedNow);
        return answer(refusedNow);
      }
      // During the check the table may have been dropped and read again.
      table = tables.isClosing ? null : await tables.load(gameId);
    }
    if (table === null) return answer(tables.isClosing ? UNKNOWN : refused("unknown_game"));
    table.enqueue({ command: toCommand(), at, lostMs, lagMs, answer, ...queued });
  } catch (err) {
    log.error({ err, gameId }, "a command could not reach its table");
    // An earlier copy may have been committed.
    answer(UNKNOWN);
  }
}

function toMove({ player, commandId, atVersion, path, promotion }: MoveOrder): TableCommand {
  const move = { type: "move", id: commandId, player, atVersion, path, delivery: NO_DELIVERY } as const;
  return promotion === undefined ? move : { ...move, promotion };
}

function toOffer(
  { type, feeBps, opponentMoves }: { readonly type: OfferType; readonly feeBps: number } & OfferOptions,
  player: PlayerId,
  id: CommandId,
): TableCommand {
  switch (type) {
    case "offer_draw":
    case "request_takeback":
      return { type, id, player, opponentMoves, delivery: NO_DELIVERY };
    case "offer_rematch":
      return { type, id, player, feeBps, nextGameId: toGameId(randomUUID()) };
  }
}

function toOfferAnswer(order: AnswerOrder): TableCommand {
  const base = { id: order.commandId, player: order.player, offer: order.offer };
  if (order.type === "answer_rematch") {
    return { ...base, type: order.type, answer: order.answer, nextGameId: toGameId(randomUUID()) };
  }
  const { type, answer, atVersion } = order;
  return { ...base, type, answer, atVersion, delivery: NO_DELIVERY };
}
