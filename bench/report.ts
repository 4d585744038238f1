import process from "node:process";

export interface Finding {
  readonly part: string;
  readonly what: string;
  readonly figures: string;
  readonly goal?: Goal;
}

interface Goal {
  readonly text: string;
  readonly value: number;
  readonly isMet: boolean;
}

export function atLeast(value: number, least: number, unit = "x"): Goal {
  return { text: `at least ${least}${unit}`, value, isMet: value >= least };
}

export function atMost(value: number, most: number, unit = "x"): Goal {
  return { text: `at most ${most}${unit}`, value, isMet: value <= most };
}

export function formatNumber(value: number, digits = 0): string {
  return value.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function formatTable(findings: readonly Finding[]): string {
  const rows = findings.map(({ part, what, figures, goal }) => [
    part,
    what,
    figures,
    goal === undefined ? "" : formatNumber(goal.value, 2),
    goal?.text ?? "",
    goal === undefined ? "" : goal.isMet ? "met" : "MISSED",
  ]);
  const table = [["part", "what", "figures", "value", "goal", ""], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
