import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS } from "@holo/kernel/instant.ts";
import type {
  FairPlayPeriod,
  FairPlaySignal,
  SuspiciousPairsView,
  SuspiciousPairView,
} from "@holo/protocol/admin/fair-play.ts";
import {
  findPlayers,
  findSharedBankAccounts,
  loadSharedBankAccounts,
  type SharedBankAccount,
} from "../../accounts/accounts.ts";
import { loadPairFlows, type PairFlow } from "../../fairplay/fairplay.ts";
import { loadWithdrawalHolds } from "../../payments/payments.ts";
import type { Database } from "../../platform/database/database.ts";
import { readSnapshot } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import { findAccountConflict, loadAuthority, type StaffMember } from "../authority.ts";

/**
 * Pairs of players who may pass coins to each other. The list informs staff and triggers nothing.
 */
export interface SuspiciousPairs {
  /** Omits pairs of the viewer and of players whose file the viewer may not read. */
  load(viewer: StaffMember, period: FairPlayPeriod): Promise<SuspiciousPairsView>;
}

interface SuspiciousPairsDeps {
  readonly database: Database;
  readonly time: Time;
}

const PERIOD_DAYS: Readonly<Record<FairPlayPeriod, number>> = { day: 1, week: 7, month: 30 };
const PAIRS_MAX = 100;

type Pair = Omit<SuspiciousPairView, "from" | "to"> & { readonly from: PlayerId; readonly to: PlayerId };

export function openSuspiciousPairs({ database, time }: SuspiciousPairsDeps): SuspiciousPairs {
  return {
    async load(viewer, period) {
      const until = time.now();
      const since = addMs(until, -PERIOD_DAYS[period] * DAY_MS);
      return await readSnapshot(database, async (queries) => {
        const newest = await loadSharedBankAccounts(queries, since, PAIRS_MAX);
        const pairs = newest.map(({ playerIds }) => playerIds);
        const flows = await loadPairFlows(queries, { since, until, pairs, limit: PAIRS_MAX });
        // Also those that more than a hundred newer ones, or none of the period, leave out.
        const playing = flows.map(({ from, to }) => [from, to] as const);
        const found = toPairs(flows, newest, await findSharedBankAccounts(queries, playing));
        const ids = [...new Set(found.flatMap(({ from, to }) => [from, to]))];
        const authority = await loadAuthority(queries, viewer.id, ids);
        const isReadable = (id: PlayerId): boolean => {
          const conflict = findAccountConflict(viewer, id, authority);
          return id !== viewer.id && (conflict === null || conflict === "own_matter");
        };
        const players = await findPlayers(queries, ids);
        const withdrawalHolds = await loadWithdrawalHolds(queries, ids);
        const findSuspect = (id: PlayerId) => ({
          id,
          username: players.get(id)?.username ?? id,
          isHeld: withdrawalHolds.has(id),
        });
        const readable = found.filter(({ from, to }) => isReadable(from) && isReadable(to));
        return {
          sinceAt: since,
          pairs: readable.map((pair) => ({ ...pair, from: findSuspect(pair.from), to: findSuspect(pair.to) })),
        };
      });
    },
  };
}

function toPairs(
  flows: readonly PairFlow[],
  newest: readonly SharedBankAccount[],
  ofFlows: readonly SharedBankAccount[],
): readonly Pair[] {
  const sharedSinceAt = new Map(ofFlows.map(({ playerIds, fromAt }) => [toKey(playerIds), fromAt]));
  const played = flows.map(({ isOneSided, hasQuickLosses, netCoins, ...flow }): Pair => {
    const sharedAt = sharedSinceAt.get(toKey([flow.from, flow.to])) ?? null;
    const signals: FairPlaySignal[] = [];
    if (sharedAt !== null) signals.push("shared_bank_account");
    if (isOneSided) signals.push("one_sided");
    if (hasQuickLosses) signals.push("quick_losses");
    return { ...flow, netCoins: String(netCoins), sharedSinceAt: sharedAt, signals };
  });
  const known = new Set(flows.map(({ from, to }) => toKey([from, to])));
  const apart = newest.filter(({ playerIds }) => !known.has(toKey(playerIds)));
  return [...played, ...apart.map(toPairWithoutGames)].sort(
    (one, other) => other.signals.length - one.signals.length || Number(BigInt(other.netCoins) - BigInt(one.netCoins)),
  );
}

function toKey(playerIds: readonly [PlayerId, PlayerId]): string {
  return [...playerIds].sort().join(" ");
}

function toPairWithoutGames({ playerIds: [from, to], fromAt }: SharedBankAccount): Pair {
  const none = { netCoins: "0", games: 0, lost: 0, won: 0, quickLosses: 0, chosen: 0, lastGameAt: null };
  return { from, to, ...none, sharedSinceAt: fromAt, signals: ["shared_bank_account"] };
}
