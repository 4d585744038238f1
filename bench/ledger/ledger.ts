import { fileURLToPath } from "node:url";
import { assert } from "@holo/kernel/assert.ts";
import pg from "pg";
import { atLeast, type Finding, formatNumber, note } from "../report.ts";
import { startCluster } from "../servers/cluster.ts";
import { readCpuMs, startOnServerCore, stopProcess, toCpuMs, waitForMessage } from "../servers/processes.ts";
import { median } from "../statistics.ts";
import type { MoneyMessage, MoneyName, MoneyWork } from "./money-process.ts";

const ROUNDS = 3;
const ROUND_SECONDS = 4;
const PROCESS_FILE = fileURLToPath(new URL("money-process.ts", import.meta.url));
const SIDES: readonly MoneyName[] = ["ledger", "bare"];

const WORKS: readonly {
  readonly work: MoneyWork;
  readonly what: string;
  readonly unit: string;
  readonly each: number;
}[] = [
  { work: "game", what: "a game's money: two stakes and a win", unit: "entries/s", each: 3 },
  { work: "withdrawal", what: "withdrawals: one wallet debited in each", unit: "wallets/s", each: 1 },
];

interface Round {
  readonly perS: number;
  readonly cpuMsPer1000: number;
}

export async function benchLedger(): Promise<readonly Finding[]> {
  note("ledger: journal entries beside bare transactions of the same rows");
  const cluster = await startCluster();
  const databases = { ledger: await cluster.makeDatabase("ledger"), bare: await cluster.makeDatabase("bare") };
  const rounds = new Map<string, Round[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { work, each } of WORKS) {
      for (const side of SIDES) {
        const measured = await measure(side, work, databases[side], cluster.pids);
        const name = `${side} ${work}`;
        const perS = (measured.done * each * 1_000) / measured.elapsedMs;
        const cpuMsPer1000 = (measured.cpuMs * 1_000) / (measured.done * each);
        rounds.set(name, [...(rounds.get(name) ?? []), { perS, cpuMsPer1000 }]);
        await assertBalanced(databases[side], side, measured.done * each);
      }
    }
  }
  await cluster.stop();
  return WORKS.map(({ work, what, unit }) => {
    const medianOf = (side: MoneyName, key: keyof Round) =>
      median(rounds.get(`${side} ${work}`)!.map((one) => one[key]));
    const [ours, bare] = [medianOf("ledger", "perS"), medianOf("bare", "perS")];
    const cpu = `CPU per 1,000 ${formatNumber(medianOf("ledger", "cpuMsPer1000"))} ms; ${formatNumber(medianOf("bare", "cpuMsPer1000"))} ms`;
    const figures = `${formatNumber(ours)} ${unit}; bare ${formatNumber(bare)}; ${formatNumber(ours / bare, 2)}x; ${cpu}`;
    return { part: "ledger", what, figures, goal: atLeast(ours / bare, 0.5) };
  });
}

async function measure(
  side: MoneyName,
  work: MoneyWork,
  connectionString: string,
  databasePids: () => readonly number[],
): Promise<MoneyMessage & { readonly cpuMs: number }> {
  const child = startOnServerCore(PROCESS_FILE, { args: [side, work, connectionString, String(ROUND_SECONDS)] });
  await waitForMessage(child);
  const pids = [child.pid!, ...databasePids()];
  const before = readCpuMs(pids);
  const message = (await waitForMessage(child)) as MoneyMessage;
  const cpuMs = toCpuMs(before, readCpuMs(pids));
  await stopProcess(child);
  return { ...message, cpuMs };
}

async function assertBalanced(connectionString: string, side: MoneyName, entries: number): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query(
    `select count(distinct entry_id)::int as entries, sum(amount)::int as total from ${side}_postings`,
  );
  await client.end();
  assert(rows[0].total === 0 && rows[0].entries >= entries, `${side} holds ${rows[0].entries} of ${entries} entries`);
}
