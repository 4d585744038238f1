import type { Signal } from "../finding.ts";
import type { AgeFacts } from "./facts.ts";

const YOUNG_DAYS = 14;
const BITS = 2;

/** Both ends are new, by their youngest means: bought accounts have young bank accounts. */
export function judgeAge({ sourceDays, playerDays }: AgeFacts): Signal {
  return {
    name: "age",
    version: 1,
    class: "age",
    bits: sourceDays < YOUNG_DAYS && playerDays < YOUNG_DAYS ? BITS : 0,
    figures: { sourceDays, playerDays },
    threshold: YOUNG_DAYS,
  };
}
