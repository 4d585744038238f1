import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Coins } from "@holo/kernel/money.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { Stake } from "@holo/table/stakes.ts";
import { sql } from "kysely";
import { type SessionClaim, SHARED_DEVICE_MS } from "../../accounts/accounts.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Refusal } from "../answer.ts";

/** A player who is to sit down and pay. */
export interface SeatRequest {
  readonly playerId: PlayerId;
  readonly gameId: GameId;
  readonly seat: Seat;
  readonly stake: Stake;
  readonly buyIn: Coins;
  /** Null: no opponent yet. */
  readonly opponentId: PlayerId | null;
  /** Stored, so that the same id leads to the same game. */
  readonly command?: { readonly id: CommandId; readonly content: string } | undefined;
  readonly session?: SessionCheck | undefined;
}

/** The session of a command that takes coins: it must be live until the commit. */
export interface SessionCheck {
  readonly claim: SessionClaim;
  /** If it is not live. */
  readonly refusal: RefusalCode;
}

/** What `seat_facts` (SQL) says about a player. What it leaves out is in the player's favour. */
export interface SeatFacts {
  readonly player: PlayerId;
  readonly isBanned?: true;
  /** The deletion of the account was requested. */
  readonly isClosing?: true;
  readonly excludedUntil?: Instant;
  /** If a self-exclusion covers free games too. */
  readonly excludedFromFreeUntil?: Instant;
  readonly isUnderMaintenance?: true;
  readonly hasDispute?: true;
  readonly stakeLimit?: { readonly value: number; readonly nextValue?: number; readonly nextAt?: Instant };
  /** In micro-holocoins, as the balance. */
  readonly debt?: string;
  /** If one is recent: when those of the newest games ended that the player cancelled or missed. */
  readonly missedAt?: readonly Instant[];
  /** Another than the requested one. */
  readonly openGame?: OpenGame;
  /** One of the two has blocked the other (ruling 23). */
  readonly isBlocked?: true;
  /** A bank account, card or device with the opponent: free games only (ruling 54). */
  readonly sharesTrace?: true;
  /** The balance, if it is below the buy-in. */
  readonly have?: string;
  readonly isLoggedOut?: true;
  /** An earlier copy of the command, which was carried out. */
  readonly command?: SeatCommand;
}

export interface OpenGame {
  readonly gameId: GameId;
  readonly status: "waiting" | "active";
}

export interface SeatCommand {
  readonly content: string;
  readonly gameId: GameId;
}

export type SeatRefusal = Refusal & { readonly playerId: PlayerId };

/** Who may sit down, judged by `match`. Every reason is among the facts. */
export interface SeatRules {
  /** Why these players may not sit down, and whom it concerns; null if they may. */
  findSeatRefusal(requests: readonly SeatRequest[], facts: readonly SeatFacts[], at: Instant): SeatRefusal | null;
  /** Why a player may not offer a rematch; null if they may. Its start is judged again. */
  findOfferRefusal(request: SeatRequest, facts: readonly SeatFacts[], at: Instant): Refusal | null;
  /** Whether a player's waiting game of this stake is about to be cancelled and must not start. */
  isIneligible(facts: SeatFacts | undefined, stake: Stake): boolean;
}

/** Ruling 17: which of a player's started games count for a cool-down. */
const COOL_DOWN_GAMES = 10;
export const LATER_COOL_DOWN_MS = 30 * MINUTE_MS;

type SeatQuestion = Pick<SeatRequest, "playerId"> & Partial<SeatRequest>;

/** One element of the argument of `seat_facts`. What is not asked for is not among the facts. */
export function toQuestionRow({ playerId, gameId, opponentId, buyIn, command, session }: SeatQuestion, at: Instant) {
  return {
    player: playerId,
    at,
    game_id: gameId,
    opponent: opponentId,
    need: buyIn === undefined ? undefined : String(buyIn),
    command: command?.id,
    token: session?.claim.token,
    session_at: session?.claim.at,
    started_after: session?.claim.startedAfter,
    missed_since: addMs(at, -LATER_COOL_DOWN_MS),
    missed_games: COOL_DOWN_GAMES,
    device_since: addMs(at, -SHARED_DEVICE_MS),
  };
}

/** Not binding: without the locks of `lifecycle_lock` they may change at once. */
export async function loadSeatFacts(
  queries: Queries,
  questions: readonly SeatQuestion[],
  at: Instant,
): Promise<readonly SeatFacts[]> {
  const asked = JSON.stringify(questions.map((question) => toQuestionRow(question, at)));
  const { rows } = await sql<{ readonly facts: SeatFacts }>`select facts from seat_facts(${asked}::jsonb)`.execute(
    queries,
  );
  return rows.map(({ facts }) => facts);
}

export function findFactsOf<Facts extends SeatFacts>(facts: readonly Facts[], playerId: PlayerId): Facts | undefined {
  return facts.find(({ player }) => player === playerId);
}
