import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { Report, RunOptions } from "./run.ts";
import { SCHEME_KINDS } from "./schemes.ts";

// Passwords are confirmed at each first withdrawal: a cheap hash tests the same.
process.env.NODE_ENV = "test";
const { startTestPostgres } = await import("../../apps/server/src/platform/testing/test-postgres.ts");
const { runPopulation } = await import("./run.ts");

/** `npm run fair-play -- --seed N --scheme mixed` (README.md). Exits 1 if the audit fails. */
const SCHEMES: readonly RunOptions["scheme"][] = [...SCHEME_KINDS, "mixed", "honest"];
const LINES = 12;
const LIMITS = { heldShare: 0.95, falseShare: 0.001 };

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    scheme: { type: "string", default: "mixed" },
    players: { type: "string", default: "60" },
    days: { type: "string", default: "10" },
    moves: { type: "boolean", default: false },
    assert: { type: "boolean", default: false },
  },
});

function toCount(name: "seed" | "players" | "days"): number {
  const count = Number(values[name]);
  if (Number.isSafeInteger(count) && count > 0) return count;
  process.stderr.write(`--${name} must be a whole number above 0\n`);
  process.exit(2);
}

const scheme = SCHEMES.find((one) => one === values.scheme);
if (scheme === undefined) {
  process.stderr.write(`--scheme must be one of ${SCHEMES.join(", ")}\n`);
  process.exit(2);
}

function print(report: Report, tookMs: number): void {
  const { honest, schemes, refusals, explanations, faults, broken } = report;
  for (const one of explanations) say(one);
  for (const [code, count] of refusals) say(`refused: ${code}: ${count}`);
  for (const one of schemes) {
    const share = one.dumpedNaira === 0 ? "" : ` = ${((100 * one.heldNaira) / one.dumpedNaira).toFixed(1)} %`;
    say(
      `scheme ${one.kind}: ${one.schemes} schemes, ${one.withdrawals} withdrawals, held ₦${one.heldNaira} (judged ${one.judgedNaira}) of ₦${one.dumpedNaira}${share}`,
    );
  }
  say(`honest: ${honest.withdrawals} withdrawals, ${honest.held} held`);
  for (const fault of faults.slice(0, 10)) say(`LOGGED ${fault.slice(0, 600)}`);
  say(`audit: ${broken ?? "nothing is broken"}`);
  say(
    `seed ${toCount("seed")}: ${report.games} games, ${report.plies} plies, ${report.virtualDays} days in ${Math.round(tookMs / 1_000)} s`,
  );
}

const cluster = await startTestPostgres(false);
try {
  const startedMs = performance.now();
  const report = await runPopulation({
    seed: toCount("seed"),
    scheme,
    players: toCount("players"),
    days: toCount("days"),
    judgesMoves: values.moves || scheme === "engine",
    library: { folder: path.join(tmpdir(), "holo-fair-play-lines"), linesPerPairing: LINES },
    connectionString: await cluster.makeDatabase(),
  });
  print(report, performance.now() - startedMs);
  if (report.broken !== null) process.exitCode = 1;
  if (values.assert) {
    const dumped = report.schemes.reduce((sum, one) => sum + one.dumpedNaira, 0);
    const held = report.schemes.reduce((sum, one) => sum + one.heldNaira, 0);
    const isMissed = held < LIMITS.heldShare * dumped;
    const isFalse = report.honest.held - report.honest.byDispute > LIMITS.falseShare * report.honest.withdrawals;
    if (isMissed || isFalse) process.exitCode = 1;
  }
} finally {
  await cluster.stop();
}
process.exit();
