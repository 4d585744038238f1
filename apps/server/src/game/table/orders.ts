import { type CommandId, type GameId, type PlayerId, toGameId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { Promotion, Square } from "@holo/rules/rules.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import type { TableCommand } from "@holo/table/command.ts";
import type { OfferAnswer } from "@holo/table/log-record.ts";
import { randomUUID } from "../../platform/runtime.ts";
import type { Answer } from "../answer.ts";
import type { SessionCheck } from "../log/seat-facts.ts";
import type { OfferType } from "./offer-check.ts";

interface OrderBase {
  readonly player: PlayerId;
  readonly commandId: CommandId;
  readonly gameId: GameId;
}

interface SeatOptions {
  readonly session?: SessionCheck | undefined;
  /** Its player no longer expects it: refused as `too_late` unless it was carried out before. */
  readonly isLate?: boolean | undefined;
}

export interface MoveOrder extends OrderBase {
  readonly atVersion: number;
  readonly path: readonly Square[];
  readonly promotion?: Promotion;
}

export interface JoinOrder extends OrderBase, SeatOptions {
  readonly view: PlayerView;
  readonly pairing: "matchmaking" | "address" | "invitation";
  /** The player's own waiting game on the same terms, which they leave. */
  readonly leaves?: GameId | undefined;
}

interface OfferOrder extends OrderBase, SeatOptions {
  readonly offer: OfferType;
  /** The fee that was shown with a rematch. */
  readonly feeBps: number;
  /** With draws and takebacks: refused if the opponent has made another number of moves. */
  readonly opponentMoves?: number | undefined;
}

export type AnswerOrder = OrderBase &
  SeatOptions & { readonly offer: number } & (
    | {
        readonly type: "answer_draw" | "answer_takeback";
        readonly answer: OfferAnswer;
        readonly atVersion: number;
      }
    | { readonly type: "answer_rematch"; readonly answer: Exclude<OfferAnswer, "decline_all"> }
  );

/** A player's command to an existing table, as data: another server may own the table. */
export type Order =
  | ({ readonly type: "move" } & MoveOrder)
  | ({ readonly type: "join" } & JoinOrder)
  | ({ readonly type: "cancel"; readonly whileWaiting: boolean } & OrderBase)
  | ({ readonly type: "resign" } & OrderBase)
  | ({ readonly type: "offer" } & OfferOrder)
  | AnswerOrder;

export function toCommand(order: Order): TableCommand {
  const { commandId: id, player } = order;
  switch (order.type) {
    case "move": {
      const { atVersion, path, promotion } = order;
      const move = { type: "move", id, player, atVersion, path, delivery: NO_DELIVERY } as const;
      return promotion === undefined ? move : { ...move, promotion };
    }
    case "join":
      return { type: "join", id, player, pairing: order.pairing };
    case "cancel":
      return { type: "cancel", id, player, whileWaiting: order.whileWaiting };
    case "resign":
      return { type: "resign", id, player };
    case "offer": {
      const { offer: type, feeBps, opponentMoves } = order;
      if (type === "offer_rematch") return { type, id, player, feeBps, nextGameId: toGameId(randomUUID()) };
      return { type, id, player, opponentMoves, delivery: NO_DELIVERY };
    }
    case "answer_rematch": {
      const { type, offer, answer } = order;
      return { type, id, player, offer, answer, nextGameId: toGameId(randomUUID()) };
    }
    default: {
      const { type, offer, answer, atVersion } = order;
      return { type, id, player, offer, answer, atVersion, delivery: NO_DELIVERY };
    }
  }
}

export interface ChatOrder extends OrderBase {
  readonly text: string;
}

/** As it arrives at another server: JSON has no dates. */
export function parseOrder(order: Order): Order {
  if (!("session" in order) || order.session === undefined) return order;
  const { claim, refusal } = order.session;
  const dated = { ...claim, at: new Date(claim.at), startedAfter: new Date(claim.startedAfter) };
  return { ...order, session: { claim: dated, refusal } };
}

export interface SentAnswer {
  readonly answer: Answer;
  /** Figures that are amounts: JSON has no bigint. */
  readonly amounts: readonly (readonly [figure: string, amount: string])[];
}

export function formatAnswer(answer: Answer): SentAnswer {
  if (answer.type !== "refused") return { answer, amounts: [] };
  const all = Object.entries(answer.figures);
  const amounts = all
    .filter(([, value]) => typeof value === "bigint")
    .map(([key, value]) => [key, `${value}`] as const);
  const figures = Object.fromEntries(all.filter(([, value]) => typeof value !== "bigint"));
  return { answer: { ...answer, figures }, amounts };
}

export function parseAnswer({ answer, amounts }: SentAnswer): Answer {
  if (answer.type !== "refused") return answer;
  const figures = Object.fromEntries(amounts.map(([key, amount]) => [key, BigInt(amount)]));
  return { ...answer, figures: { ...answer.figures, ...figures } };
}
