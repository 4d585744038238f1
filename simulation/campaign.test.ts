import process from "node:process";
import { expect, test } from "vitest";
import { runCampaign } from "./campaign.ts";
import { FAULTS } from "./faults.ts";

const isDeep = process.env.DEEP === "1";
const SEED = isDeep ? 2_026 : 11;

/** A failing seed of `npm run simulate` becomes a named test here. */
test(
  `keeps all views equal on a bad network, with crashes, full disks and other faults (seed ${SEED})`,
  async () => {
    const report = await runCampaign({
      seed: SEED,
      games: isDeep ? 500 : 16,
      faults: isDeep ? [...FAULTS, ...FAULTS] : FAULTS,
      faultMs: isDeep ? 8_000 : 1_500,
      players: isDeep ? 32 : 12,
    });
    expect(report.faults).toEqual([]);
    expect(report.games).toBeGreaterThanOrEqual(isDeep ? 500 : 16);
    expect(report.acknowledged).toBeGreaterThan(report.games);
    // Every kind of command was carried out at least once.
    const carriedOut = ["move", "chat", "offer_draw", "request_takeback", "answer_takeback", "offer_rematch"];
    for (const command of carriedOut) expect(report.commands.get(command), command).toBeGreaterThan(0);
  },
  isDeep ? 3_600_000 : 300_000,
);
