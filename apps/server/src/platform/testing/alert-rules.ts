import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assert } from "@holo/kernel/assert.ts";

/** One reading of `/metrics`: values by series as written there, and `up` as Prometheus adds it. */
export interface Scrape {
  readonly values: ReadonlyMap<string, number>;
}

interface Range {
  readonly before: Scrape;
  readonly after: Scrape;
}

const RULES = fileURLToPath(new URL("../../../../../deploy/alerts.yml", import.meta.url));

/** `text` is null if nothing answered. */
export function readScrape(text: string | null): Scrape {
  const lines = (text ?? "").split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const values = new Map(lines.map((line) => line.split(/ (?=[^ ]*$)/) as [string, string]).map(([k, v]) => [k, +v]));
  values.set('up{job="holo"}', text === null ? 0 : 1);
  return { values };
}

export function listAlerts(): readonly string[] {
  return loadRules().map(({ alert }) => alert);
}

/**
 * The alerts of deploy/alerts.yml whose own expression holds after two scrapes. `for` is not
 * waited for: `promtool test rules` checks it in deploy.test.ts.
 */
export function listFiring(before: Scrape, after: Scrape): readonly string[] {
  return loadRules()
    .filter(({ expression }) => holds(expression, { before, after }))
    .map(({ alert }) => alert);
}

function loadRules() {
  const rules = readFileSync(RULES, "utf8").matchAll(/- alert: (\w+)\n\s+expr: (.+)\n/g);
  return [...rules].map(([, alert, expression]) => ({ alert: alert!, expression: expression! }));
}

function holds(expression: string, range: Range): boolean {
  const [, value, operator, limit] = /^(.+) (==|<|>) (\S+)$/.exec(expression) ?? [];
  assert(value !== undefined && limit !== undefined, `an expression of an unknown form: ${expression}`);
  const measured = evaluate(value, range);
  // As in Prometheus, an alert on a series that does not exist never fires.
  if (measured === undefined) return false;
  if (operator === "==") return measured === Number(limit);
  return operator === "<" ? measured < Number(limit) : measured > Number(limit);
}

/** The part of PromQL that the rules use, on the series of one server. */
const FORMS: readonly (readonly [RegExp, (range: Range, ...groups: string[]) => number | undefined])[] = [
  [/^(\w+(?:\{.*\})?)$/, ({ after }, series) => after.values.get(series!)],
  [/^max\((\w+)\)$/, ({ after }, series) => after.values.get(series!)],
  [/^increase\((\w+)\[\w+\]\)$/, (range, series) => toIncrease(range, series!)],
  [/^rate\((\w+)\[(\d+)m\]\)$/, (range, series, minutes) => toRate(range, series!, Number(minutes))],
  [
    /^histogram_quantile\(([\d.]+), sum by \(le\) \(rate\((\w+)\[\w+\]\)\)\)$/,
    (range, share, series) => toQuantile(range, Number(share), series!),
  ],
];

function evaluate(expression: string, range: Range): number | undefined {
  for (const [form, compute] of FORMS) {
    const found = form.exec(expression);
    if (found !== null) return compute(range, ...found.slice(1));
  }
  throw new Error(`an expression of an unknown form: ${expression}`);
}

function toIncrease({ before, after }: Range, series: string): number | undefined {
  const [from, to] = [before.values.get(series), after.values.get(series)];
  return from === undefined || to === undefined ? undefined : to - from;
}

/** Per second, as if the scrapes were that far apart: how fast this machine is does not count. */
function toRate(range: Range, series: string, minutes: number): number | undefined {
  const increase = toIncrease(range, series);
  return increase === undefined ? undefined : increase / (minutes * 60);
}

/** Interpolated within its bucket, as Prometheus does. */
function toQuantile(range: Range, share: number, series: string): number | undefined {
  const buckets = [...range.after.values.keys()].flatMap((name) => {
    const [, of, bound] = /^(\w+)\{le="(.+)"\}$/.exec(name) ?? [];
    return of === series
      ? [{ bound: Number(bound!.replace("+Inf", "Infinity")), count: toIncrease(range, name) ?? 0 }]
      : [];
  });
  const rank = share * (buckets.at(-1)?.count ?? 0);
  if (rank === 0) return undefined;
  const index = buckets.findIndex(({ count }) => count >= rank);
  const [lower, upper] = [buckets[index - 1] ?? { bound: 0, count: 0 }, buckets[index]!];
  if (upper.bound === Number.POSITIVE_INFINITY) return lower.bound;
  return lower.bound + ((upper.bound - lower.bound) * (rank - lower.count)) / (upper.count - lower.count);
}
