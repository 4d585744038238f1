import type { Level } from "@holo/engine/engine.ts";

export const LEVEL_NAMES: Readonly<Record<Level, string>> = {
  0: "Random",
  1: "Beginner",
  2: "Casual",
  3: "Steady",
  4: "Strong",
  5: "Expert",
};

export const LEVEL_OPTIONS = ([0, 1, 2, 3, 4, 5] as const).map((level) => ({
  value: level,
  text: LEVEL_NAMES[level],
}));

/** Null for a text that is no level. */
export function parseLevel(text: string): Level | null {
  return LEVEL_OPTIONS.find(({ value }) => String(value) === text)?.value ?? null;
}

export function isLevel(value: unknown): value is Level {
  return LEVEL_OPTIONS.some((option) => option.value === value);
}
