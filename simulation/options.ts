import { parseArgs } from "node:util";

const OPTIONS = {
  seed: { type: "string" },
  seeds: { type: "string" },
  games: { type: "string" },
  faults: { type: "string", default: "seeded" },
  players: { type: "string" },
  servers: { type: "string", default: "1" },
  "fault-ms": { type: "string", default: "2000" },
  payers: { type: "string", default: "8" },
  mutants: { type: "boolean", default: false },
  only: { type: "string" },
  /** Ends with the first finding. */
  hasty: { type: "boolean", default: false },
  repeatable: { type: "boolean", default: false },
} as const;

type Count = "seed" | "games" | "players" | "servers" | "payers" | "fault-ms";

/** Throws what is wrong with the words, in one line. */
export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const toCount = (name: Count, byDefault = 1): number => {
    const count = Number(values[name] ?? byDefault);
    if (Number.isSafeInteger(count) && count >= 0) return count;
    throw new Error(`--${name} must be a whole number`);
  };
  const range = values.seeds ?? String(toCount("seed"));
  const [first = Number.NaN, last = first, ...rest] = range.split("-").map(Number);
  if (![first, last].every(Number.isSafeInteger) || last < first || rest.length > 0)
    throw new Error("--seeds must be a seed or two, as 1-20");
  return { values, toCount, seeds: Array.from({ length: last - first + 1 }, (_, index) => first + index) };
}
