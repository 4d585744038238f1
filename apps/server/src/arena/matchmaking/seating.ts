import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { toCoins } from "@holo/kernel/money.ts";
import type { Seat } from "@holo/rules/rules.ts";
import {
  isRestricted,
  NO_LIMIT,
  type PlayerLimit,
  type Restrictions,
  toSeatRestriction,
} from "../../accounts/accounts.ts";
import type { Refusal } from "../answer.ts";
import type { Finding, PersonFinding } from "../log/finding.ts";
import type { SeatRequest } from "../log/lifecycle-job.ts";
import { findCoolDown } from "./cool-down.ts";

export function findPerson(
  findings: readonly Finding[],
  role: PersonFinding["role"],
  playerId?: PlayerId,
): PersonFinding | undefined {
  return findings.find(
    (finding): finding is PersonFinding =>
      finding.type === "person" && finding.role === role && (playerId === undefined || finding.player === playerId),
  );
}

/** Reasons other than coins; null if the player may have a seat. */
export function findSeatRefusal(person: PersonFinding | undefined, stake: number, at: Instant): Refusal | null {
  if (person === undefined) return null;
  const restriction = toSeatRestriction(toRestrictions(person), toStakeLimit(person), stake, at);
  if (restriction !== null) return restriction;
  if (person.debt !== undefined) return { code: "debt_open", figures: { need: toCoins(BigInt(person.debt)) } };
  const coolDown = findCoolDown(person.missed ?? [], at);
  if (coolDown !== null) return coolDown;
  return toOpenGameRefusal(person);
}

export function toOpenGameRefusal({ open_game: openGame }: Pick<PersonFinding, "open_game">): Refusal | null {
  if (openGame === undefined) return null;
  return { code: openGame.status === "waiting" ? "pending_game_exists" : "active_game_exists", figures: {} };
}

/** Why a player cannot pay; null if they can. */
export function findFundsRefusal(
  person: PersonFinding | undefined,
  seat: Seat,
  { buyIn }: SeatRequest,
): Refusal | null {
  if (person?.have === undefined) return null;
  const figures = { need: buyIn, have: toCoins(BigInt(person.have)) };
  return { code: seat === 1 ? "insufficient_to_create" : "insufficient_to_join", figures };
}

/**
 * The waiting game of an ineligible creator is about to be cancelled and must not start (rulings
 * 27 and 33).
 */
export function isIneligible(person: PersonFinding | undefined): boolean {
  return person !== undefined && (isRestricted(toRestrictions(person)) || person.debt !== undefined);
}

function toRestrictions(person: PersonFinding): Restrictions {
  return {
    isBanned: person.banned ?? false,
    isClosing: person.closing ?? false,
    excludedUntil: person.excluded_until ?? null,
    isUnderMaintenance: person.maintenance ?? false,
    hasDispute: person.disputed ?? false,
  };
}

function toStakeLimit({ stake_limit: limit }: PersonFinding): PlayerLimit {
  if (limit === undefined) return NO_LIMIT;
  const { value, nextValue, nextAt } = limit;
  return { value, next: nextAt === undefined ? null : { value: nextValue ?? null, at: nextAt } };
}
