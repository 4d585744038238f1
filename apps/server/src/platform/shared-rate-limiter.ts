import { createHmac } from "node:crypto";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "./database/database.ts";
import { makeRateLimiter, type RateLimit } from "./rate-limiter.ts";
import type { Time } from "./time/time.ts";

/** A limit of attempts on accounts, money or mails, which more servers must not multiply. */
export interface SharedRateLimiter {
  /** Takes one token of the key; false if none is left. `tx`: the caller's open transaction. */
  tryAcquire(key: string, tx?: Queries): Promise<boolean>;
  /** Whether a token is left. Takes none. */
  hasToken(key: string): Promise<boolean>;
  /** Takes a token even if none is left. */
  charge(key: string): Promise<void>;
  giveBackToken(key: string, tx?: Queries): Promise<void>;
}

/** `name` differs between limits. */
export type OpenRateLimiter = (name: string, limit: RateLimit) => SharedRateLimiter;

/** For a single server. */
export function makeLocalLimiters(time: Pick<Time, "monotonicMs">): OpenRateLimiter {
  return (_name, limit) => {
    const limiter = makeRateLimiter(time, limit);
    return {
      tryAcquire: async (key) => limiter.tryAcquire(key),
      hasToken: async (key) => limiter.hasToken(key),
      charge: async (key) => limiter.charge(key, 1),
      giveBackToken: async (key) => limiter.giveBackToken(key),
    };
  };
}

interface SharedLimitsDeps {
  readonly queries: Queries;
  readonly time: Time;
  readonly secret: string;
}

/**
 * For several servers: the database decides. Attempts that it refuses count in memory too, so a
 * flood at one server costs the database no more queries than the limit.
 */
export function makeSharedLimiters({ queries, time, secret }: SharedLimitsDeps): OpenRateLimiter {
  return (name, limit) => {
    const { burst, refillMs } = limit;
    const local = makeRateLimiter(time, limit);
    const toHash = (key: string): string =>
      createHmac("sha256", secret).update(`rate limit ${name} ${key}`).digest("base64url");

    return {
      async tryAcquire(key, tx = queries) {
        if (!local.tryAcquire(key)) return false;
        const now = time.now();
        const { rows } = await sql`
          insert into rate_limits as held (key, full_at) values (${toHash(key)}, ${now + refillMs})
          on conflict (key) do update set full_at = greatest(held.full_at, ${now}) + ${refillMs}
          where greatest(held.full_at, ${now}) + ${refillMs} <= ${now + burst * refillMs} returning true`.execute(tx);
        return rows.length > 0;
      },
      async hasToken(key) {
        if (!local.hasToken(key)) return false;
        const latest = time.now() + (burst - 1) * refillMs;
        const { rows } = await sql`
          select from rate_limits where key = ${toHash(key)} and full_at > ${latest}`.execute(queries);
        return rows.length === 0;
      },
      async charge(key) {
        local.charge(key, 1);
        const now = time.now();
        await sql`
          insert into rate_limits as held (key, full_at) values (${toHash(key)}, ${now + refillMs})
          on conflict (key) do update set full_at =
            least(greatest(held.full_at, ${now}) + ${refillMs}, ${now + 2 * burst * refillMs})`.execute(queries);
      },
      async giveBackToken(key, tx = queries) {
        local.giveBackToken(key);
        await sql`update rate_limits set full_at = full_at - ${refillMs} where key = ${toHash(key)}`.execute(tx);
      },
    };
  };
}

/** Deletes what limits nothing any more. */
export async function removeFullLimits(queries: Queries, now: Instant): Promise<void> {
  await sql`delete from rate_limits where full_at <= ${now}`.execute(queries);
}
