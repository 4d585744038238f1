import { randomUUID } from "node:crypto";
import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { toKobo } from "@holo/kernel/money.ts";
import type { StatementRowView } from "@holo/protocol/payments/wallet.ts";
import { expect, test } from "vitest";
import { findPlayers } from "../../../accounts/accounts.ts";
import { postPosition, toDepositPosition } from "../../../ledger/ledger.ts";
import type { Database } from "../../../platform/database/database.ts";
import { transact } from "../../../platform/database/transaction.ts";
import { openHttpForAll } from "../../testing/http-hooks.ts";
import { beginGame, cancelGame } from "../../testing/test-games.ts";
import { send, type TestHttp, type TestPerson } from "../../testing/test-http.ts";

let database: Database;
let http: TestHttp;

openHttpForAll((given) => {
  ({ database, http } = given);
});

const ask = (path: string, person?: TestPerson) =>
  send(http.app, "GET", path, undefined, person === undefined ? {} : { cookie: person.cookie });

interface Statement {
  readonly rows: readonly StatementRowView[];
  readonly next: string | null;
}

const load = async (person: TestPerson, query = "") =>
  (await (await ask(`/api/statement${query}`, person)).json()) as Statement;

const toOrder = ({ id }: TestPerson, paymentId: PaymentId, reference: string, kobo: bigint) => ({
  paymentId,
  reference,
  position: toDepositPosition({ playerId: id as PlayerId, keptKobo: toKobo(kobo), rateKobo: 30_600 }),
  fact: 1,
  isDeposit: true,
  isCorrection: false,
  details: {},
  at: http.at.time.now(),
});

async function deposit(person: TestPerson, reference = `holo-${randomUUID()}`, kobo = 500_000n): Promise<void> {
  const paymentId = randomUUID() as PaymentId;
  await transact(database, (tx) => postPosition(tx, toOrder(person, paymentId, reference, kobo)));
}

test("The statement names the opponent of each game ('vs chidi'), also in its file and for staff [WALL-20 §2]", async () => {
  const pair = { white: await http.addPlayer(), black: await http.addPlayer() };
  await deposit(pair.white, "holo-reference-1");
  const { gameId } = await beginGame(http.at, pair);
  await cancelGame(http.at, pair.white, gameId);
  const { rows, next } = await load(pair.white);
  expect(next).toBeNull();
  const opponent = (await findPlayers(database.kysely, [pair.black.id as PlayerId])).get(
    pair.black.id as PlayerId,
  )?.username;
  expect(opponent).toMatch(/./);
  const none = { gameId: null, opponent: null, reference: null, debtChange: "0" };
  expect(rows.map(({ id: _id, at: _at, ...row }) => row)).toEqual([
    { ...none, kind: "refund", amount: expect.any(String), balanceAfter: "5016339870", gameId, opponent },
    {
      ...none,
      kind: "stake",
      amount: expect.stringMatching(/^-\d+$/),
      balanceAfter: expect.any(String),
      gameId,
      opponent,
    },
    {
      ...none,
      kind: "deposit",
      amount: "16339870",
      balanceAfter: "5016339870",
      reference: "holo-reference-1",
    },
    { ...none, kind: "opening", amount: "5000000000", balanceAfter: "5000000000" },
  ]);
  expect((await load(pair.black)).rows.map(({ kind }) => kind)).toEqual(["refund", "stake", "opening"]);
});

test("pages fifty entries, and exports all", async () => {
  const person = await http.addPlayer();
  for (let i = 0; i < 120; i += 1) await deposit(person);
  const first = await load(person);
  expect(first.rows).toHaveLength(50);
  const second = await load(person, `?before=${first.next}`);
  const third = await load(person, `?before=${second.next}`);
  expect([third.rows.length, third.next]).toEqual([21, null]);
  const all = [...first.rows, ...second.rows, ...third.rows];
  expect(new Set(all.map(({ id }) => id)).size).toBe(121);
  expect((await load(person, "?kind=opening")).rows.map(({ id }) => id)).toEqual([all.at(-1)?.id]);
  const lines = (await (await ask("/api/statement.csv", person)).text()).trimEnd().split("\r\n");
  expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(all.map(({ id }) => id));
});

test("exports plain figures without formulas", async () => {
  const person = await http.addPlayer();
  await deposit(person, '=cmd|"x"!a1');
  const answer = await ask("/api/statement.csv", person);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cache-control": "no-store",
    "content-disposition": 'attachment; filename="holo-arena-statement.csv"',
    "content-type": "text/csv; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
  const [head, deposited, opening, end] = (await answer.text()).split("\r\n");
  expect(head).toBe("Transaction,Date,Type,Amount HC,Balance after HC,Debt change HC,Game,Opponent,Payment,Reference");
  expect(deposited).toMatch(
    /^\d+,\d{4}-\d\d-\d\dT[\d:.]+Z,Deposit,16\.339870,5016\.339870,0\.000000,,,[0-9a-f-]{36},"'=cmd\|""x""!a1"$/,
  );
  expect(opening).toMatch(/,Opening balance,5000\.000000,5000\.000000,0\.000000,,,,$/);
  expect(end).toBe("");
});

test("exports more than one batch completely", async () => {
  const person = await http.addPlayer();
  await transact(database, async (tx) => {
    for (let i = 0; i < 1_001; i += 1) {
      const paymentId = randomUUID() as PaymentId;
      await postPosition(tx, toOrder(person, paymentId, `holo-${paymentId}`, 30_600n));
    }
  });
  const lines = (await (await ask("/api/statement.csv", person)).text()).trimEnd().split("\r\n").slice(1);
  expect(lines).toHaveLength(1_002);
  expect(new Set(lines).size).toBe(1_002);
});

test("limits how often a player downloads the whole statement", async () => {
  const [person, other] = [await http.addPlayer(), await http.addPlayer()];
  const download = async (by: typeof person) => (await ask("/api/statement.csv", by)).status;
  const statuses = [];
  for (let i = 0; i < 6; i += 1) statuses.push(await download(person));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect(await download(other)).toBe(200);
});

test.each(["/api/statement", "/api/statement.csv"])("%s requires a login and is read-only", async (path) => {
  const visitor = await ask(path);
  expect([visitor.status, await visitor.json()]).toMatchObject([401, { code: "login_required" }]);
  const posted = await send(http.app, "POST", path, {});
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"]);
});

test.each(["?before=-1", "?before=1e3", "?before=9999999999999999999", "?kind=revenue_withdrawal", "?limit=1000"])(
  "refuses a statement of %s",
  async (query) => {
    expect((await ask(`/api/statement${query}`, await http.addPlayer())).status).toBe(400);
  },
);
