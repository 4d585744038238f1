import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findLockingStatements, type MigrationText } from "./migration-locks.ts";

const FOLDER = new URL("../../../migrations/", import.meta.url);
/** They landed before servers were replaced one after the other. Never add to them. */
const ACCEPTED: readonly string[] = [
  "445-debt-repayments.ts",
  "483-payments-ends.ts",
  "488-account-links.ts",
  "495-leaderboard.ts",
  "501-reports-ended.ts",
  "510-ledger-lighter-guards.ts",
  "531-day-figures.ts",
  "540-deposits-sent-back.ts",
  "560-payment-reasons.ts",
  "620-deposit-disputes.ts",
  "621-deposit-rates.ts",
  "622-withdrawals-per-day.ts",
  "680-shared-bank-accounts.ts",
  "720-pairings.ts",
  "730-lifecycle.ts",
  "760-games-by-terms.ts",
  "771-ledger-reads.ts",
  "772-webhook-ids.ts",
];

const files = readdirSync(FOLDER).sort();
const migrations: readonly MigrationText[] = await Promise.all(
  files.map(async (file) => (await import(new URL(file, FOLDER).href)) as MigrationText),
);

describe("migrations", () => {
  it("keep no player waiting on a big table", () => {
    const locking = files.flatMap((file, index) => {
      const found = findLockingStatements(migrations.slice(0, index + 1));
      return found.length === 0 || ACCEPTED.includes(file) ? [] : [{ file, found }];
    });
    expect(locking).toEqual([]);
  });

  it("are accepted only where they lock", () => {
    const locking = files.filter((_, index) => findLockingStatements(migrations.slice(0, index + 1)).length > 0);
    expect(ACCEPTED.filter((file) => !locking.includes(file))).toEqual([]);
  });
});

const BIG = "create table games (id uuid); create table payments (id uuid)";
const CHECKED: readonly MigrationText[] = [
  {
    up: `${BIG}; alter table games add constraint games_pairing_known check (pairing is not null) not valid`,
    online: ["alter table games validate constraint games_pairing_known"],
  },
];

describe("findLockingStatements", () => {
  it.each([
    "create index games_by_day on games (created_at)",
    "create unique index on games (a, b)",
    "alter table games add column drawn_at timestamptz default clock_timestamp()",
    "alter table games add column number bigint generated always as identity",
    "alter table games add column code text unique",
    "alter table games add column side int check (side in (1, 2))",
    "alter table games add column a int, alter column b type bigint",
    "alter table games alter column pairing set data type varchar(9)",
    "alter table games alter pairing set not null",
    "alter table games add constraint games_side check (side in (1, 2))",
    "alter table games add constraint games_code unique (code)",
    "alter table games add foreign key (winner) references auth_users (id)",
    "alter table games add constraint a check (b > 0) not valid; alter table games validate constraint a",
    "update games set pairing = 'address; where'",
    "delete from payments where kobo = 0",
    "lock table games",
    "/* quick */ CREATE INDEX\n  games_by_day ON games (created_at)",
  ])("refuses %s", (up) => {
    expect(findLockingStatements([{ up: BIG }, { up }])).toHaveLength(1);
  });

  it.each([
    "alter table games add column pairing text",
    "alter table games add column is_fair boolean not null default false",
    "alter table games add constraint games_side check (side in (1, 2)) not valid",
    "alter table games add constraint games_code unique using index games_code",
    "alter table games drop constraint games_side",
    "create table votes (id uuid primary key, side int check (side > 0)); create index on votes (side)",
    "create function f() returns void language sql as $$ update games set a = 1; create index on games (a) $$",
    "alter table servers add column is_shared boolean not null default false check (is_shared)",
    "-- create index on games (a)",
  ])("accepts %s", (up) => {
    expect(findLockingStatements([{ up: BIG }, { up }])).toEqual([]);
  });

  it("accepts online what does not wait, and a column that a validated check keeps from being null", () => {
    const online = ["create index concurrently if not exists games_by_day on games (created_at)"];
    const up = "alter table games alter column pairing set not null";
    expect(findLockingStatements([...CHECKED, { up, online }])).toEqual([]);
    expect(findLockingStatements([...CHECKED, { up: up.replace("pairing", "side") }])).toHaveLength(1);
    expect(findLockingStatements([{ up: "", online: ["create index on games (a)"] }])).toHaveLength(1);
  });
});
