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
  allowNegative: true,
  options: {
    seed: { type: "string", default: "1" },
    scheme: { type: "string", default: "mixed" },
    players: { type: "string", default: "60" },
    days: { type: "string", default: "10" },
    schemes: { type: "string" },
    moves: { type: "boolean", default: true },
    assert: { type: "boolean", default: false },
  },
});

function toCount(name: "seed" | "players" | "days" | "schemes"): number {
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
  const { honest, schemes, cases, refusals, explanations, faults, broken } = report;
  for (const one of explanations) say(one);
  for (const [code, count] of refusals) say(`refused: ${code}: ${count}`);
  for (const fault of faults.slice(0, 10)) say(`LOGGED ${fault.slice(0, 600).trim()}`);
  say("                held  partly    paid");
  for (const { kind, withdrawals, dumpedNaira, heldNaira, schemes: count, engines } of schemes) {
    const { held, partly, paid } = withdrawals;
    const share = dumpedNaira === 0 ? "" : ` = ${((100 * heldNaira) / dumpedNaira).toFixed(1)} %`;
    const found = engines.all === 0 ? "" : `; engines found: ${engines.found} of ${engines.all}`;
    say(
      `${toRow(kind, [held, partly, paid])}  ${count} schemes, held ₦${heldNaira} of ₦${dumpedNaira}${share}${found}`,
    );
  }
  const paid = honest.withdrawals - honest.held - honest.byDispute;
  say(`${toRow("honest", [honest.held, 0, paid])}  and ${honest.byDispute} by disputes of others`);
  const asked = honest.withdrawals + schemes.reduce((sum, one) => sum + countOf(one), 0);
  for (const [kind, { all, honest: ofHonest }] of cases)
    say(`cases: ${all} ${kind}, ${ofHonest} of honest players (${((1_000 * all) / asked).toFixed(1)} per 1,000)`);
  say(`audit: ${broken ?? "nothing is broken"}`);
  say(
    `seed ${toCount("seed")}: ${report.games} games, ${report.plies} plies, ${report.virtualDays} days in ${Math.round(tookMs / 1_000)} s`,
  );
}

const countOf = ({ withdrawals: { held, partly, paid } }: Report["schemes"][number]): number => held + partly + paid;

const toRow = (name: string, counts: readonly number[]): string =>
  `${name.padEnd(12)}${counts.map((count) => String(count).padStart(8)).join("")}`;

const cluster = await startTestPostgres(false);
try {
  const startedMs = performance.now();
  const report = await runPopulation({
    seed: toCount("seed"),
    scheme,
    players: toCount("players"),
    days: toCount("days"),
    ...(values.schemes === undefined ? {} : { schemes: toCount("schemes") }),
    judgesMoves: values.moves,
    library: { folder: path.join(tmpdir(), "holo-fair-play-lines"), linesPerPairing: LINES },
    connectionString: await cluster.makeDatabase(),
    noteDay: (day) => void process.stderr.write(`day ${day}\n`),
  });
  print(report, performance.now() - startedMs);
  if (report.broken !== null) process.exitCode = 1;
  if (values.assert) {
    const dumped = report.schemes.reduce((sum, one) => sum + one.dumpedNaira, 0);
    const held = report.schemes.reduce((sum, one) => sum + one.heldNaira, 0);
    const isMissed = held < LIMITS.heldShare * dumped;
    const isFalse = report.honest.held > LIMITS.falseShare * report.honest.withdrawals;
    if (isMissed || isFalse) process.exitCode = 1;
  }
} finally {
  await cluster.stop();
}
process.exit();
