import process from "node:process";
import { expect, test } from "vitest";
import { runCampaign } from "./campaign.ts";

const isDeep = process.env.DEEP === "1";
const SEED = isDeep ? 2_026 : 11;

/** More of it: `npm run simulate -- --seed N --games N`. A seed that fails becomes a test of its own here. */
test(
  `robots on a bad network, with the server killed and restarted among them, end with views that are all alike (seed ${SEED})`,
  async () => {
    const report = await runCampaign({
      seed: SEED,
      games: isDeep ? 500 : 12,
      restarts: isDeep ? 8 : 2,
      players: isDeep ? 32 : 12,
    });
    expect(report.faults).toEqual([]);
    expect(report.games).toBeGreaterThanOrEqual(isDeep ? 500 : 12);
    expect(report.acknowledged).toBeGreaterThan(report.games);
    // What the robots are there for has happened: not one kind of command was only ever refused.
    const carriedOut = ["move", "chat", "offer_draw", "request_takeback", "answer_takeback", "offer_rematch"];
    for (const command of carriedOut) expect(report.commands.get(command), command).toBeGreaterThan(0);
  },
  isDeep ? 1_200_000 : 120_000,
);
