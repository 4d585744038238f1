import { FairTurns } from "../../platform/fair-turns.ts";

/** Two at once, as a hash takes 128 MiB and a thread. Strangers never delay those who are known. */
export interface Hashing {
  /** With a session, a known device or a mailed link. By what names them. */
  readonly ofKnown: FairTurns;
  /** By network address. */
  readonly ofStrangers: FairTurns;
}

/** About fifteen seconds of hashing: longer waits are of no use to a person. */
const WAITING_MAX = 40;

export function makeHashing(): Hashing {
  const options = { atOnceMax: 1, waitingMax: WAITING_MAX };
  return { ofKnown: new FairTurns(options), ofStrangers: new FairTurns(options) };
}
