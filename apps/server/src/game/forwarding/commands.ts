import { type CommandId, type GameId, type PlayerId, toCommandId } from "@holo/kernel/ids.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { performance, randomUUID } from "../../platform/runtime.ts";
import type { Time } from "../../platform/time/time.ts";
import { type Answer, refused, UNKNOWN } from "../answer.ts";
import type { SessionCheck } from "../log/seat-facts.ts";
import { loadOpenGame } from "../log/seat-store.ts";
import type { SettlementHook } from "../log/settlement.ts";
import type { OfferType } from "../table/offer-check.ts";
import type { AnswerOrder, JoinOrder, MoveOrder, Order } from "../table/orders.ts";
import { UNMEASURED } from "../table/queued-command.ts";
import type { Gateway } from "./gateway.ts";

interface CommandOptions {
  readonly session?: SessionCheck | undefined;
  /** Its player no longer expects it: refused as `too_late` unless it was carried out before. */
  readonly isLate?: boolean | undefined;
}

interface OfferOptions extends CommandOptions {
  /** With draws and takebacks: refused if the opponent has made another number of moves. */
  readonly opponentMoves?: number | undefined;
}

/** Commands to existing tables: idempotent by their id, answered once they are on disk. */
export interface Commands {
  /** `match` says how the player found the game. */
  join(order: JoinOrder): Promise<Answer>;
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
}

/** Histogram of the time from a move's arrival to its answer, which follows the commit. */
export const MOVE_SECONDS = "holo_move_seconds";
/** Seconds, finer where most moves are. */
const BUCKETS = [0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export function openCommands({ queries, gateway, metrics, time, feeBps }: CommandsDeps): Commands {
  const moveSeconds = metrics.histogram(MOVE_SECONDS, "Seconds from a move's arrival to its answer", BUCKETS);

  function ask(order: Order): Promise<Answer> {
    return new Promise((answer) => gateway.command(order, 0, answer));
  }

  const cancel: Commands["cancel"] = (player, gameId, commandId, whileWaiting = false) =>
    ask({ type: "cancel", player, gameId, commandId, whileWaiting });

  return {
    cancel,
    join: (order) => ask({ type: "join", ...order }),
    async cancelWaiting(playerId) {
      const openGame = await loadOpenGame(queries, playerId);
      // A refusal means that the game has started or ended meanwhile.
      if (openGame?.status === "waiting") await cancel(playerId, openGame.gameId, toCommandId(randomUUID()), true);
    },
    async cancelByStaff(gameId, note, hook) {
      const table = await gateway.takeOver(gameId);
      if (table === null) return gateway.isClosing ? UNKNOWN : refused("unknown_game");
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
