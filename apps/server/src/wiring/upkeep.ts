import { addMs, DAY_MS, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { FairPlay } from "../fairplay/fairplay.ts";
import { removeOldCommands } from "../game/game.ts";
import { updateTotals } from "../ledger/ledger.ts";
import { removeOldServers } from "../platform/servers/server-rows.ts";
import { startRepeatedTask } from "../platform/time/repeated-task.ts";
import type { Platform } from "./platform.ts";

type UpkeepPlatform = Pick<Platform, "database" | "time" | "wheel" | "log">;

/** Deletes records that are needed for a limited time only, so that tables stay small. */
export async function removeOldRecords(
  { database, time }: Pick<Platform, "database" | "time">,
  retentionDays: number,
): Promise<void> {
  const before = addMs(time.now(), -retentionDays * DAY_MS);
  await removeOldServers(database.kysely, before);
  await removeOldCommands(database.kysely, before);
}

/** Keeps tables small and pages fast. Returns the function that stops it. */
export function startUpkeep(
  platform: UpkeepPlatform,
  {
    accounts,
    fairPlay,
  }: {
    readonly accounts: Pick<Accounts, "removeExpiredData">;
    readonly fairPlay: Pick<FairPlay, "keepUp" | "judgeAhead">;
  },
  retentionDays: number,
): () => void {
  const { database } = platform;
  const stops = [
    startRepeatedTask({
      ...platform,
      everyMs: 60 * MINUTE_MS,
      failure: "expired personal data could not be deleted",
      run: accounts.removeExpiredData,
    }),
    startRepeatedTask({
      ...platform,
      everyMs: 60 * MINUTE_MS,
      failure: "old records could not be deleted",
      run: () => removeOldRecords(platform, retentionDays),
    }),
    startRepeatedTask({
      ...platform,
      everyMs: 10 * MINUTE_MS,
      failure: "the end of holds of fair play could not be written; they have ended all the same",
      run: fairPlay.keepUp,
    }),
    startRepeatedTask({
      ...platform,
      everyMs: 60 * MINUTE_MS,
      failure: "won coins could not be judged ahead; their withdrawals are judged all the same",
      run: fairPlay.judgeAhead,
    }),
    startRepeatedTask({
      ...platform,
      everyMs: 10 * MINUTE_MS,
      failure: "the platform's account totals could not be advanced; pages sum more postings meanwhile",
      run: () => updateTotals(database),
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
