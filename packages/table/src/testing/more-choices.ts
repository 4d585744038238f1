import { LIMIT_MINUTES, type LimitMinutes, STAKES, type Stake } from "../stakes.ts";

export const TWENTY = 20 as number as Stake;
export const FIFTEEN = 15 as number as LimitMinutes;

/** Adds a stake of 20 HC and a limit of 15 minutes to the lists. Returns their removal. */
export function addChoices(): () => void {
  const stakes = STAKES as unknown as number[];
  const limits = LIMIT_MINUTES as unknown as number[];
  stakes.push(TWENTY);
  limits.push(FIFTEEN);
  return () => {
    stakes.pop();
    limits.pop();
  };
}
