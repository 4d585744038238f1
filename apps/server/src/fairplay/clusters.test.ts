import type { PlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, toInstant } from "@holo/kernel/instant.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Trace, TraceKind } from "../accounts/accounts.ts";
import { shareTrace } from "../accounts/testing/shared-trace.ts";
import type { Database } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { findStrength, loadClusters, toCluster, toLinks } from "./clusters.ts";

const NOW = toInstant(Date.UTC(2026, 5, 1));
const [ada, bola, chi, dayo] = ["player-a", "player-b", "player-c", "player-d"] as PlayerId[] as [
  PlayerId,
  PlayerId,
  PlayerId,
  PlayerId,
];

/** From the first to the last use, in days before now. */
function trace(playerId: PlayerId, kind: TraceKind, keyedHash: string, first: number, last = first): Trace {
  const toAt = (days: number) => (NOW - days * DAY_MS) as Instant;
  return { playerId, kind, keyedHash, firstAt: toAt(first), lastAt: toAt(last), uses: 1 };
}

const strengthOf = (traces: readonly Trace[]) => findStrength(toLinks(traces, NOW), bola, ada);

/** Both log in from one address on these days, so many minutes apart. */
function meet(days: readonly number[], minutes: number, accounts: readonly PlayerId[] = [ada, bola]): readonly Trace[] {
  return days.flatMap((day) =>
    accounts.map((id, index) =>
      trace(id, "network", `hour of ${day}`, day - (index === 0 ? 0 : (minutes * MINUTE_MS) / DAY_MS)),
    ),
  );
}

const crowd = (size: number) => Array.from({ length: size }, (_, index) => `crowd-${index}` as PlayerId);

describe("two accounts are joined", () => {
  test.each<[string, number, readonly Trace[]]>([
    ["by a bank account", 1, [trace(ada, "bank_account", "x", 300), trace(bola, "bank_account", "x", 1)]],
    ["by a card", 0.8, [trace(ada, "card", "x", 300), trace(bola, "card", "x", 1)]],
    [
      "by a family's phone, which both use again",
      0.8,
      [trace(ada, "device", "x", 60, 1), trace(bola, "device", "x", 30)],
    ],
    ["hardly by a phone that was sold", 0.4, [trace(ada, "device", "x", 60, 40), trace(bola, "device", "x", 39, 1)]],
    ["a little by one flat's network on three days", 0.3, meet([1, 2, 3], 5)],
    [
      "by a sold phone and a network together, less than enough",
      0.58,
      [trace(ada, "device", "x", 60, 40), trace(bola, "device", "x", 39, 1), ...meet([1, 2, 3], 5)],
    ],
    ["not by a network on two days", 0, meet([1, 2], 5)],
    ["not by a network eleven minutes later", 0, meet([1, 2, 3], 11)],
    ["not by a carrier's address with six accounts an hour", 0, meet([1, 2, 3], 0, [ada, bola, ...crowd(4)])],
    ["not by different cards", 0, [trace(ada, "card", "x", 1), trace(bola, "card", "y", 1)]],
    ["not by a card of more than a year ago", 0, [trace(ada, "card", "x", 366), trace(bola, "card", "x", 1)]],
    ["not by a device of more than 90 days ago", 0, [trace(ada, "device", "x", 91), trace(bola, "device", "x", 1)]],
  ])("%s: %d", (_, expected, traces) => {
    expect(strengthOf(traces)).toBe(expected);
  });

  test("by a cybercafe's computer hardly, whoever comes back to it", () => {
    const guests = [ada, bola, ...crowd(3)].map((id) => trace(id, "device", "café", 30, 1));
    expect(strengthOf(guests)).toBe(0.1);
    expect(strengthOf(guests.slice(0, 4))).toBe(0.8);
  });
});

describe("a cluster", () => {
  const card = (name: string, ...ids: readonly PlayerId[]) => ids.map((id) => trace(id, "card", name, 1));

  test("reaches two steps from its account", () => {
    const links = toLinks([...card("x", ada, bola), ...card("y", bola, chi), ...card("z", chi, dayo)], NOW);
    expect(toCluster(links, ada)).toEqual([ada, bola, chi]);
    expect(toCluster(links, bola)).toEqual([bola, ada, chi, dayo]);
  });

  test("leaves out who is joined below the limit", () => {
    const phone = [trace(ada, "device", "x", 60, 40), trace(bola, "device", "x", 39, 1)];
    expect(toCluster(toLinks(phone, NOW), ada)).toEqual([ada]);
  });

  test("has 25 members at most, the strongest links first", () => {
    const bank = [trace(ada, "bank_account", "b", 1), trace(dayo, "bank_account", "b", 1)];
    const members = toCluster(toLinks([...card("x", ada, ...crowd(40)), ...bank], NOW), ada);
    expect(members).toHaveLength(25);
    expect(members.slice(0, 2)).toEqual([ada, dayo]);
  });
});

describe("loaded from the database", () => {
  let database: Database;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  test("has who is two steps away, and a stranger with no one", async () => {
    const share = (kind: TraceKind, one: PlayerId, other: PlayerId, at: number) =>
      transact(database, (tx) => shareTrace(tx, kind, one, [other], at as Instant));
    await share("card", ada, bola, NOW - HOUR_MS);
    await share("bank_account", bola, chi, NOW - HOUR_MS);
    await share("card", chi, dayo, NOW - HOUR_MS);
    const { links, members } = await loadClusters(database.kysely, [ada, dayo, "stranger" as PlayerId], NOW);
    expect(members.get(ada)).toEqual([ada, bola, chi]);
    expect(members.get(dayo)).toEqual([dayo, chi, bola]);
    expect(members.get("stranger" as PlayerId)).toEqual(["stranger"]);
    expect(findStrength(links, ada, bola)).toBe(0.8);
    expect(findStrength(links, ada, chi)).toBe(0);
    expect(links.find(({ strength }) => strength === 1)).toMatchObject({ kinds: new Set(["bank_account"]) });
  });
});
