import { type DatabaseFailure, toDatabaseFailure } from "./database/database-failure.ts";
import { toFailureText } from "./failure.ts";
import { performance } from "./runtime.ts";

interface Line {
  readonly fields: object;
  readonly text: string;
}

const BEGINNINGS = {
  unreachable: "the database is unreachable; further failures because of it are counted",
  unwritable: "the database cannot be written to; further failures because of it are counted",
} as const;
const ENDS = {
  unreachable: "the database is reachable again",
  unwritable: "the database can be written to again",
} as const;

/**
 * Turns the failures that an outage of the database causes everywhere, ten a second, into a line at
 * its beginning and one at its end.
 */
export class DatabaseOutage {
  #current: { readonly failure: DatabaseFailure; readonly begunMs: number; failures: number } | null = null;
  #hasFailedSince = false;

  /** What to write instead of a line: another, or none. Null: it is not about the database. */
  absorb(fields: object, text: string): Line | "counted" | null {
    // An alert is written always.
    if (!("err" in fields) || "alert" in fields) return null;
    const failure = toDatabaseFailure(fields.err);
    if (failure === null) return null;
    this.#hasFailedSince = true;
    if (this.#current !== null) {
      this.#current.failures += 1;
      return "counted";
    }
    this.#current = { failure, begunMs: performance.now(), failures: 1 };
    return { fields: { reason: toFailureText(fields.err), first: text }, text: BEGINNINGS[failure] };
  }

  /** The database has stored something; an outage ends if nothing failed since the last time. */
  answer(): Line | null {
    const hasFailed = this.#hasFailedSince;
    this.#hasFailedSince = false;
    if (this.#current === null || hasFailed) return null;
    const { failure, begunMs, failures } = this.#current;
    this.#current = null;
    const seconds = Math.round((performance.now() - begunMs) / 1_000);
    return { fields: { seconds, failures }, text: `${ENDS[failure]} after ${seconds} s, ${failures} failures` };
  }
}
