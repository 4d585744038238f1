import process from "node:process";
import { expect, test } from "vitest";
import { runCampaign, toRepeatCommand } from "./campaign.ts";
import { type FaultRound, listFaults } from "./faults/faults.ts";

const COMMANDS = ["move", "chat", "offer_draw", "request_takeback", "answer_takeback", "offer_rematch"];

const SHOWN_MAX = 5;
const isDeep = process.env.DEEP === "1";
/** One of each kind: process, connections, rows, database, clients, clock. */
const SOME_FAULTS: readonly FaultRound[] = [
  "killed at a commit",
  "no connections",
  ["full tables", "half-open clients"],
  "killed database",
  "time passes",
];
const SOME_FAULTS_OF_SERVERS: readonly FaultRound[] = ["kill", "cut from NATS", "release"];
const SHORT = { games: 12, faultMs: 1_000, players: 10, payers: 3 };
const SHORTEST = { games: 6, faultMs: 1_000, players: 8, payers: 2 };
const DEEP = { seed: 2_026, games: 500, faultMs: 8_000, players: 32, payers: 8 };
const RUNS = isDeep
  ? [
      { ...DEEP, servers: 1, faults: listFaults({ ...DEEP, servers: 1 }) },
      { ...DEEP, servers: 3, faults: listFaults({ ...DEEP, servers: 3 }) },
    ]
  : [
      { ...SHORT, seed: 11, servers: 1, faults: SOME_FAULTS },
      { ...SHORTEST, seed: 12, servers: 2, faults: SOME_FAULTS_OF_SERVERS },
    ];

/** A failing seed of `npm run simulate` becomes a named test here. */
// [FAULT-01 §-] A killed server or database loses and doubles no acknowledged move and no coin.
// [FAULT-04 §-] On a bad network, with payments, crashes and other faults, all views of a game stay equal.
test.each(RUNS)(
  "keeps all views equal on a bad network, with payments, crashes and other faults (servers: $servers, seed $seed) [FAULT-01] [FAULT-04]",
  async (options) => {
    const report = await runCampaign({ ...options, carriedOut: COMMANDS });
    const found = [...report.faults.slice(0, SHOWN_MAX), `repeat with: ${toRepeatCommand(options)}`];
    expect(report.faults.length, found.join("\n")).toBe(0);
    expect(report.games).toBeGreaterThanOrEqual(options.games);
    expect(report.acknowledged).toBeGreaterThan(report.games);
  },
  isDeep ? 3_600_000 : 300_000,
);
