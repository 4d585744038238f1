import { findClockFaults } from "./clock-model.ts";
import {
  findBrokenOrder,
  findLostCommands,
  findStoredRefusals,
  findUnanswered,
  findUnaskedRecords,
} from "./commands.ts";
import { type Evidence, findOutagesOf } from "./evidence.ts";
import { findUnnumbered, findUnrest, findWrongWallets } from "./rest.ts";
import { findFirstSeen, findForgedRecords, findHastyRecords, findLeaks } from "./shown.ts";
import { findMissedAtTables } from "./tables.ts";
import { findFreeTime, findHastyFlags, findUnfoundedBonuses, findUnmeasuredOutages } from "./time.ts";

/** Everything that a correct server cannot have sent or stored; empty if there is nothing. */
export function judge(evidence: Evidence): readonly string[] {
  return [
    ...judgeSoFar(evidence),
    ...findBrokenOrder(evidence),
    ...findUnnumbered(evidence),
    ...findUnfoundedBonuses(evidence),
    ...findFreeTime(evidence),
    ...judgeAtRest(evidence),
  ];
}

/** What every client was last sent, compared with the database once nothing is on its way. */
export function judgeAtRest(evidence: Evidence): readonly string[] {
  return findUnrest(evidence);
}

/** The part that holds at every instant. The clients' records must be older than what is stored. */
export function judgeSoFar(evidence: Evidence): readonly string[] {
  const seen = findFirstSeen(evidence);
  return [
    ...evidence.unowned,
    ...findForgedRecords(evidence),
    ...findLostCommands(evidence),
    ...findStoredRefusals(evidence),
    ...findUnanswered(evidence),
    ...findUnaskedRecords(evidence),
    ...findLeaks(evidence),
    ...findHastyRecords(evidence),
    ...findUnmeasuredOutages(evidence),
    ...findMissedAtTables(evidence),
    ...findWrongWallets(evidence),
    ...findHastyFlags(evidence),
    ...[...evidence.games].flatMap(([gameId, { log }]) =>
      findClockFaults(log, { ...evidence, outages: findOutagesOf(gameId, evidence) }, (version) =>
        seen.get(`${gameId} ${version}`),
      ).map((fault) => `${gameId}: ${fault}`),
    ),
  ];
}
