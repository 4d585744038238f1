import { appendFileSync, readFileSync } from "node:fs";
import { GAME_REFUSALS } from "@holo/protocol/refusals/game-refusals.ts";
import { WALLET_REFUSALS } from "@holo/protocol/refusals/wallet-refusals.ts";
import { DRAW_REASONS, WIN_REASONS } from "@holo/rules/rules.ts";
import type { CancelReason, EndReason, RematchLapse, TableEvent } from "@holo/table/log-record.ts";
import type { Evidence } from "./judge/evidence.ts";
import type { PaymentEvidence } from "./judge/payment-judge.ts";

export type Coverage = ReadonlySet<string>;

type All<Name extends string> = Readonly<Record<Name, true>>;

const EVENTS: All<TableEvent["type"]> = {
  created: true,
  joined: true,
  moved: true,
  ended: true,
  cancelled: true,
  clock_credited: true,
  returned: true,
  wait_ended: true,
  draw_offered: true,
  draw_answered: true,
  takeback_requested: true,
  takeback_answered: true,
  taken_back: true,
  rematch_offered: true,
  rematch_answered: true,
  rematch_started: true,
  rematch_lapsed: true,
};
const OTHER_ENDS: All<Exclude<EndReason, (typeof WIN_REASONS)[number] | (typeof DRAW_REASONS)[number]>> = {
  resignation: true,
  agreement: true,
  time: true,
  time_without_material: true,
  too_long: true,
};
const CANCELS: All<CancelReason> = { player: true, not_joined: true, first_move: true, void: true, staff: true };
const LAPSES: All<RematchLapse> = {
  time: true,
  left: true,
  other_game: true,
  short_of_coins: true,
  unavailable: true,
};
const PAYMENTS = [
  "deposit pending, completed",
  "deposit pending, failed",
  "deposit pending, abandoned",
  "deposit pending, review",
  "deposit pending, reversed",
  "deposit failed, completed",
  "deposit abandoned, completed",
  "deposit completed, review",
  "deposit completed, reversed",
  "deposit review, completed",
  "deposit review, reversed",
  "withdrawal processing, completed",
  "withdrawal processing, failed",
  "withdrawal processing, reversed",
  "withdrawal processing, pending",
  "withdrawal pending, processing",
  "withdrawal pending, abandoned",
  "withdrawal completed, reversed",
];

const ALL: readonly string[] = [
  ...Object.keys(EVENTS).map((type) => `event ${type}`),
  ...[...WIN_REASONS, ...DRAW_REASONS, ...Object.keys(OTHER_ENDS)].map((reason) => `end ${reason}`),
  ...Object.keys(CANCELS).map((reason) => `cancelled ${reason}`),
  ...Object.keys(LAPSES).map((reason) => `rematch lapsed ${reason}`),
  ...PAYMENTS.map((change) => `payment ${change}`),
  ...[...Object.keys(GAME_REFUSALS), ...Object.keys(WALLET_REFUSALS)].map((code) => `refusal ${code}`),
];

export function findCoverage({ games, clients }: Evidence, money: PaymentEvidence | null): Coverage {
  const reached = new Set<string>();
  for (const { log } of games.values())
    for (const event of log.flatMap(({ events }) => events)) {
      reached.add(`event ${event.type}`);
      if (event.type === "ended") reached.add(`end ${event.reason}`);
      if (event.type === "cancelled") reached.add(`cancelled ${event.reason}`);
      if (event.type === "rematch_lapsed") reached.add(`rematch lapsed ${event.reason}`);
    }
  const seen: { readonly atMs: number; readonly reference: string; readonly kind: string; readonly status: string }[] =
    [];
  for (const { atMs, frame } of clients.flatMap(({ connections }) => connections.flatMap(({ received }) => received))) {
    if (frame.type === "refused") reached.add(`refusal ${frame.refusal.code}`);
    if (frame.type === "payment") seen.push({ atMs, ...frame.payment });
  }
  for (const { answer, answeredMs, status } of money?.answers ?? []) {
    if (status >= 300) reached.add(`refusal ${answer.code}`);
    if (answer.payment !== null) seen.push({ atMs: answeredMs, ...answer.payment });
  }
  for (const code of money?.refusals ?? []) reached.add(`refusal ${code}`);
  const statuses = new Map<string, string>();
  for (const { reference, kind, status } of seen.toSorted((a, b) => a.atMs - b.atMs)) {
    const before = statuses.get(reference);
    if (before !== undefined && before !== status) reached.add(`payment ${kind} ${before}, ${status}`);
    statuses.set(reference, status);
  }
  return reached;
}

/** One line per seed, so that commands beside each other may share the file. */
export function saveCoverage(file: string, seed: number, coverage: Coverage): void {
  appendFileSync(file, `${JSON.stringify({ seed, reached: [...coverage] })}\n`);
}

export function loadCoverages(file: string): readonly Coverage[] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => new Set((JSON.parse(line) as { readonly reached: readonly string[] }).reached));
}

export function formatCoverage(coverages: readonly Coverage[]): string {
  const reached = new Set(coverages.flatMap((coverage) => [...coverage]));
  const lines: string[] = [];
  for (const kind of ["event", "end", "cancelled", "rematch lapsed", "payment", "refusal"]) {
    const all = ALL.filter((name) => name.startsWith(`${kind} `));
    const names = (isReached: boolean): string =>
      all
        .filter((name) => reached.has(name) === isReached)
        .map((name) => name.slice(kind.length + 1))
        .join(kind === "payment" ? "; " : ", ");
    const count = all.filter((name) => reached.has(name)).length;
    lines.push(`${kind}: ${count} of ${all.length} reached: ${names(true)}`);
    if (count < all.length) lines.push(`${kind} NOT reached: ${names(false)}`);
  }
  lines.push("not checked: credits of games that began after the clock of tables was moved ahead");
  const unexpected = [...reached].filter((name) => !ALL.includes(name));
  if (unexpected.length > 0) lines.push(`reached beside these: ${unexpected.join("; ")}`);
  return lines.join("\n");
}
