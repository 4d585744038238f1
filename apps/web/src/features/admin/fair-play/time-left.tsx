import { HOUR_MS, MINUTE_MS } from "@holo/kernel/instant.ts";
import { classes } from "../../../ui/text/classes.ts";
import "./time-left.css";

const URGENT_MS = 12 * HOUR_MS;

/** "31 h left" until a case's coins are sent by themselves. */
export function TimeLeft({ untilAt, now }: { readonly untilAt: number; readonly now: number }) {
  const leftMs = untilAt - now;
  return <b className={classes("time-left", leftMs < URGENT_MS && "urgent")}>{formatTimeLeft(leftMs)}</b>;
}

function formatTimeLeft(leftMs: number): string {
  if (leftMs <= 0) return "Time is over";
  if (leftMs < HOUR_MS) return `${Math.ceil(leftMs / MINUTE_MS)} min left`;
  return `${Math.floor(leftMs / HOUR_MS)} h left`;
}
