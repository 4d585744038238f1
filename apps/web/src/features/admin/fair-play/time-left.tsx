import { HOUR_MS } from "@holo/kernel/instant.ts";
import { classes } from "../../../ui/text/classes.ts";
import { formatTimeLeft } from "./case-texts.ts";
import "./time-left.css";

const URGENT_MS = 12 * HOUR_MS;

/** Until a case's coins are sent by themselves. */
export function TimeLeft({ untilAt, now }: { readonly untilAt: number; readonly now: number }) {
  return <b className={classes("time-left", untilAt - now < URGENT_MS && "urgent")}>{formatTimeLeft(untilAt, now)}</b>;
}
