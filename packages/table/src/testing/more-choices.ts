import { LIMIT_MINUTES, type LimitMinutes, STAKES, type Stake } from "../stakes.ts";

export const TWENTY = 20 as number as Stake;
export const FIFTEEN = 15 as number as LimitMinutes;

/** Adds a stake of 20 HC and a limit of 15 minutes to the lists. Returns their removal. */
export function addChoices(): () => void {
  const removals = [add(STAKES, TWENTY), add(LIMIT_MINUTES, FIFTEEN)];
  return () => {
    for (const remove of removals) remove();
  };
}

function add(list: readonly number[], value: number): () => void {
  const open = list as number[];
  open.push(value);
  return () => void open.pop();
}
