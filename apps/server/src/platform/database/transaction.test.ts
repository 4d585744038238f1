import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase } from "../testing/test-database.ts";
import type { Database, Queries, Tx } from "./database.ts";
import { transact } from "./transaction.ts";

let database: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query("create table pots (name text primary key, coins int8 not null)");
});

beforeEach(() => database.pool.query("truncate pots; insert into pots values ('a', 0), ('b', 0)"));

afterAll(() => database.close());

async function add(queries: Queries, name: string, coins: bigint): Promise<void> {
  await sql`update pots set coins = coins + ${coins} where name = ${name}`.execute(queries);
}

async function loadCoins(): Promise<Record<string, bigint>> {
  const { rows } = await database.pool.query<{ name: string; coins: bigint }>("select * from pots");
  return Object.fromEntries(rows.map((row) => [row.name, row.coins]));
}

describe("transact", () => {
  it("commits and then runs the effects in order", async () => {
    const seen: string[] = [];
    const value = await transact(database, async (tx, afterCommit) => {
      afterCommit(() => seen.push("first"));
      afterCommit(() => seen.push("second"));
      await add(tx, "a", 5n);
      expect(seen).toEqual([]);
      return "done";
    });
    expect(value).toBe("done");
    expect(seen).toEqual(["first", "second"]);
    expect(await loadCoins()).toEqual({ a: 5n, b: 0n });
  });

  it("writes nothing and runs no effects if the work fails", async () => {
    const seen: string[] = [];
    const work = async (tx: Tx, afterCommit: (effect: () => void) => void): Promise<void> => {
      afterCommit(() => seen.push("never"));
      await add(tx, "a", 5n);
      throw new Error("no");
    };
    await expect(transact(database, work)).rejects.toThrow("no");
    expect(seen).toEqual([]);
    expect(await loadCoins()).toEqual({ a: 0n, b: 0n });
  });

  it("runs the other effects and returns the value if an effect fails", async () => {
    const seen: string[] = [];
    const value = await transact(database, async (_tx, afterCommit) => {
      afterCommit(() => {
        throw new Error("no");
      });
      afterCommit(() => seen.push("second"));
      return 1;
    });
    expect(value).toBe(1);
    expect(seen).toEqual(["second"]);
  });

  it("retries after a deadlock until both succeed", async () => {
    let attempts = 0;
    let met = 0;
    let openGate: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    const cross = (first: string, second: string): Promise<void> =>
      transact(database, async (tx) => {
        attempts += 1;
        await add(tx, first, 1n);
        met += 1;
        if (met === 2) openGate();
        await gate;
        await add(tx, second, 1n);
      });
    await Promise.all([cross("a", "b"), cross("b", "a")]);
    expect(attempts).toBeGreaterThanOrEqual(3);
    expect(await loadCoins()).toEqual({ a: 2n, b: 2n });
  });

  it("gives up after five attempts", async () => {
    let attempts = 0;
    const work = async (tx: Tx): Promise<void> => {
      attempts += 1;
      await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(tx);
    };
    await expect(transact(database, work)).rejects.toThrow("again");
    expect(attempts).toBe(5);
  });
});
