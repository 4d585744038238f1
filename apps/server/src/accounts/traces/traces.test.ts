import type { PlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS, HOUR_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { transact } from "../../platform/database/transaction.ts";
import { client, OLD, OwnAccounts } from "../testing/own-accounts.ts";
import type { TraceKind } from "./trace-kinds.ts";
import { openTraces } from "./traces.ts";
import { loadTraces, type Trace } from "./traces-store.ts";

const at = new OwnAccounts();
let count = 0;

async function register(cookie?: string): Promise<string> {
  count += 1;
  const email = `trace-${count}@example.com`;
  const form = { username: `trace-${count}`, email, password: OLD };
  expect(await at.accounts.register(form, { ...client, cookie })).toMatchObject({ ok: true });
  return email;
}

async function logIn(email: string, cookie?: string, address = client.address): Promise<string> {
  const answer = await at.accounts.login({ email, password: OLD }, { ...client, cookie, address });
  if (!answer.ok) throw new Error(answer.refusal);
  return answer.value.setCookies.map((set) => set.split(";")[0]).join("; ");
}

async function findId(email: string): Promise<PlayerId> {
  const { rows } = await sql<{ readonly id: PlayerId }>`select id from players where email = ${email}`.execute(
    at.database.kysely,
  );
  return rows[0]!.id;
}

async function tracesOf(email: string, kind: TraceKind): Promise<readonly Trace[]> {
  return (await loadTraces(at.database.kysely, await findId(email))).filter((trace) => trace.kind === kind);
}

test("a login leaves traces of device and network, the same for each account", async () => {
  const [ada, bola] = [await register(), await register()];
  const cookie = await logIn(ada);
  await logIn(bola, cookie);
  await logIn(ada, cookie);
  const [ofAda, ofBola] = [await tracesOf(ada, "device"), await tracesOf(bola, "device")];
  expect(ofAda).toMatchObject([{ uses: 2 }]);
  expect(ofBola).toMatchObject([{ uses: 1, keyedHash: ofAda[0]!.keyedHash }]);
  expect(await tracesOf(bola, "network")).toMatchObject([
    { keyedHash: (await tracesOf(ada, "network"))[0]!.keyedHash },
  ]);
});

test("a browser without the cookie is another device", async () => {
  const email = await register();
  await logIn(email);
  await logIn(email);
  expect(await tracesOf(email, "device")).toHaveLength(2);
});

test("a registration in a known browser leaves its device", async () => {
  const first = await register();
  const cookie = await logIn(first);
  const second = await register(cookie);
  expect(await tracesOf(second, "device")).toMatchObject([
    { keyedHash: (await tracesOf(first, "device"))[0]!.keyedHash },
  ]);
});

test("a daily renewal of the session counts as use of the device", async () => {
  const email = await register();
  const cookie = await logIn(email);
  await sql`update sessions set renewed_at = renewed_at - interval '25 hours'`.execute(at.database.kysely);
  const session = await at.accounts.findSession(cookie);
  expect(await at.accounts.renewSession(session!, { ...client, cookie })).toHaveLength(1);
  expect(await tracesOf(email, "device")).toMatchObject([{ uses: 2 }]);
});

test("a network has another hash each hour, so that accounts meet only in one", async () => {
  const email = await register();
  const before = at.time.now();
  await logIn(email);
  at.time.advance(HOUR_MS);
  await logIn(email);
  const networks = await tracesOf(email, "network");
  expect(new Set(networks.map(({ keyedHash }) => keyedHash)).size).toBe(2);
  expect(networks.every(({ firstAt }) => firstAt >= before)).toBe(true);
});

test("values cannot be recognized without the secret", async () => {
  const playerId = "someone-else" as PlayerId;
  const record = (secret: string) =>
    transact(at.database, (tx) => openTraces(secret).record(tx, playerId, "card", "SIG_1", at.time.now()));
  await record("one secret");
  await record("one secret");
  await record("another secret");
  expect((await loadTraces(at.database.kysely, playerId)).map(({ uses }) => uses).sort()).toEqual([1, 2]);
});

test("each kind is erased after its time, and devices and networks with the account", async () => {
  const playerId = "keeps-for-a-time" as PlayerId;
  const kinds = ["bank_account", "card", "device", "network"] as const;
  const record = async () => {
    for (const kind of kinds) {
      await transact(at.database, (tx) => openTraces("a secret").record(tx, playerId, kind, "value", at.time.now()));
    }
  };
  const kept = async () =>
    [...new Set((await loadTraces(at.database.kysely, playerId)).map(({ kind }) => kind))].sort();
  await record();
  for (const [days, left] of [
    [30, kinds],
    [1, ["bank_account", "card", "device"]],
    [60, ["bank_account", "card"]],
    [274, ["bank_account", "card"]],
    [1, []],
  ] as const) {
    at.time.advance(days * DAY_MS);
    await at.accounts.removeExpiredData();
    expect(await kept()).toEqual([...left].sort());
  }
});

test("a deleted account keeps its means of payment only, until their time is over", async () => {
  const email = await register();
  await logIn(email);
  const playerId = await findId(email);
  await transact(at.database, (tx) => at.accounts.recordTrace(tx, playerId, "card", "SIG_2", at.time.now()));
  await transact(at.database, (tx, afterCommit) => at.accounts.removePlayer(tx, playerId, afterCommit));
  expect(await loadTraces(at.database.kysely, playerId)).toMatchObject([{ kind: "card" }]);
});
