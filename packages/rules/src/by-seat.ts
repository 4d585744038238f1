import type { Seat } from "./rules.ts";

/** What each player has, player 1 first; JSON keeps it as a pair. */
export type BySeat<First, Second = First> = readonly [First, Second];

export function ofSeat<First, Second>(pair: BySeat<First, Second>, seat: Seat): First | Second {
  return seat === 1 ? pair[0] : pair[1];
}

export function replaceSeat<Value>(pair: BySeat<Value>, seat: Seat, value: Value): BySeat<Value> {
  return seat === 1 ? [value, pair[1]] : [pair[0], value];
}
