import type { Seat } from "./rules.ts";

const SECOND_MS = 1_000;
const TENTH_MS = 100;

/** The finest step: PDN 3.0 has only `h:mm:ss`; PGN readers accept tenths. */
export type ClockStep = "second" | "tenth";

const CLK = /\[%clk\s+([\d:.,]+)\s*\]/;
/** PDN 3.0: one or both clocks by colour, capitals while running; without a colour the mover's. */
const CLOCK = /\[%clock\s+([WwBb]?\d[\d:.,]*(?:\s*[WwBb]\d[\d:.,]*)?)\s*\]/;
const TIME = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9}))?$/;

/** `[%clk 0:04:59.3]`, rounded down, so that an export never shows more time than was left. */
export function formatClock(remainingMs: number, step: ClockStep): string {
  const seconds = Math.floor(remainingMs / SECOND_MS);
  const tenths = step === "tenth" ? Math.floor((remainingMs % SECOND_MS) / TENTH_MS) : 0;
  const minutes = Math.floor(seconds / 60);
  const time = `${Math.floor(minutes / 60)}:${toPair(minutes % 60)}:${toPair(seconds % 60)}`;
  return `[%clk ${time}${tenths === 0 ? "" : `.${tenths}`}]`;
}

/** The time left after a move of `seat` according to its comment, in ms, or null. */
export function parseClock(comment: string, seat: Seat): number | null {
  const clk = CLK.exec(comment);
  if (clk !== null) return parseTime(clk[1]!);
  const clocks = (CLOCK.exec(comment)?.[1] ?? "").match(/[WwBb]?\d[\d:.,]*/g) ?? [];
  const own = clocks.find((clock) => clock.toLowerCase().startsWith(seat === 1 ? "w" : "b"));
  return parseTime(own?.slice(1) ?? clocks[0] ?? "");
}

/** `h:mm:ss` or `m:ss`, with a fraction of any length. */
function parseTime(text: string): number | null {
  const time = TIME.exec(text);
  if (time === null) return null;
  const [, hours = "0", minutes, seconds, fraction = "0"] = time;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * SECOND_MS + Math.round(Number(`0.${fraction}`) * SECOND_MS);
}

function toPair(value: number): string {
  return String(value).padStart(2, "0");
}
