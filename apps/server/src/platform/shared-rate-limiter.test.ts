import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "./database/database.ts";
import { makeSharedLimiters, type SharedRateLimiter } from "./shared-rate-limiter.ts";
import { createTestDatabase } from "./testing/test-database.ts";
import { makeTestTime } from "./testing/test-time.ts";

const LIMIT = { burst: 3, refillMs: 60_000 };
const time = makeTestTime();
let database: Database;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.close());

function openServer(): SharedRateLimiter & { readonly queries: () => number } {
  let count = 0;
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const queries = database.kysely.withPlugin(counter);
  const limiter = makeSharedLimiters({ queries, time, secret: "a secret of tests" })("tests", LIMIT);
  return { ...limiter, queries: () => count };
}

async function countAcquired(server: SharedRateLimiter, key: string, attempts: number): Promise<number> {
  let acquired = 0;
  for (let attempt = 0; attempt < attempts; attempt += 1) if (await server.tryAcquire(key)) acquired += 1;
  return acquired;
}

// [SERVERS-30 §-] A flood at one server, after the attempts were used up at another, costs the database no more
// queries than the limit.
test("a flood at a server whose attempts another one has used up costs the database no more than the limit [SERVERS-30]", async () => {
  const [first, second] = [openServer(), openServer()];
  expect(await countAcquired(first, "flooded", LIMIT.burst)).toBe(LIMIT.burst);
  expect(await countAcquired(second, "flooded", 50)).toBe(0);
  expect(second.queries()).toBe(LIMIT.burst);
  time.advance(LIMIT.refillMs);
  expect(await countAcquired(second, "flooded", 50)).toBe(1);
  expect(second.queries()).toBe(LIMIT.burst + 1);
});

test("of attempts at two servers at the same moment no more succeed than the limit", async () => {
  const servers = [openServer(), openServer()] as const;
  const attempts = Array.from({ length: 20 }, (_, index) => servers[(index & 1) as 0 | 1].tryAcquire("at once"));
  expect((await Promise.all(attempts)).filter((isAcquired) => isAcquired)).toHaveLength(LIMIT.burst);
});

test("whether a token is left is known at each server, and asking takes none", async () => {
  const [first, second] = [openServer(), openServer()];
  expect(await countAcquired(first, "asked", LIMIT.burst - 1)).toBe(LIMIT.burst - 1);
  for (let index = 0; index < 5; index += 1) expect(await second.hasToken("asked")).toBe(true);
  expect(await second.tryAcquire("asked")).toBe(true);
  expect([await first.hasToken("asked"), await second.hasToken("asked")]).toEqual([false, false]);
  time.advance(LIMIT.refillMs);
  expect([await first.hasToken("asked"), await second.hasToken("asked")]).toEqual([true, true]);
});
