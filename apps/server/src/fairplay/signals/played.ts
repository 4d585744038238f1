import type { Signal } from "../finding.ts";
import { judgeErrors } from "./errors.ts";
import type { Edge } from "./facts.ts";
import { judgeThrown } from "./thrown.ts";

/** A player who loses on purpose needs so many times the usual errors to lose reliably. */
const TIMES = 2.5;
/** Errors come in runs, so each counts half. */
const EVIDENCE_PART = 0.5;
const BITS_MIN = -4;

/** Games lost with the usual number of errors, none of them given up, speak for the loser. */
export function judgePlayed(edge: Edge): Signal {
  const { errors = 0, choices = 0, usual = 0 } = judgeErrors(edge).figures;
  const bits = EVIDENCE_PART * (errors * Math.log2(TIMES) - ((TIMES - 1) * usual * choices) / Math.LN2);
  return {
    name: "played",
    version: 1,
    class: "money",
    bits: judgeThrown(edge).bits > 0 ? 0 : Math.max(BITS_MIN, Math.min(0, bits)),
    figures: { errors, choices, usual },
    threshold: TIMES * usual,
  };
}
