import { addMs, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { transact } from "../database/transaction.ts";
import { openMetrics } from "../metrics/metrics.ts";
import type { Pusher } from "../push/pusher.ts";
import { createTestDatabase } from "../testing/test-database.ts";
import { openTestLog } from "../testing/test-log.ts";
import { makeTestTime } from "../testing/test-time.ts";
import { openTimerWheel, type TimerWheel } from "../time/timer-wheel.ts";
import type { Mail, Mailer } from "./mailer.ts";
import { type NewMail, type Outbox, openOutbox, toPauseMs } from "./outbox.ts";

const SECRET = "a secret of at least thirty-two characters";
const time = makeTestTime();

let database: Database;
let wheel: TimerWheel;
let taken: Mail[];
const opened: Outbox[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  taken = [];
  wheel = openTimerWheel({ time, log: openTestLog() });
  await sql`truncate outbox`.execute(database.kysely);
});
afterEach(async () => {
  for (const outbox of opened.splice(0)) await outbox.close();
  wheel.stop();
});

function mailer(send: Mailer["send"] = async () => "delivered"): Mailer {
  return {
    async send(mail, signal) {
      const delivery = await send(mail, signal);
      if (delivery === "delivered") taken.push(mail);
      return delivery;
    },
    close: () => undefined,
  };
}

const noPusher: Pusher = { send: () => Promise.reject(new Error("no message was queued")) };

function open(server = mailer(), secret = SECRET, timers = wheel): Outbox {
  const metrics = openMetrics({ process: false });
  const outbox = openOutbox({
    database,
    time,
    wheel: timers,
    log: openTestLog(),
    metrics,
    mailer: server,
    pusher: noPusher,
    secret,
  });
  opened.push(outbox);
  return outbox;
}

function newMail(change: Partial<NewMail> = {}): NewMail {
  return {
    kind: "verify_email",
    accountId: null,
    to: "ada@example.com",
    subject: "Verify your email",
    text: "the secret link",
    html: "<p>the secret link</p>",
    expiresAt: addMs(time.now(), 24 * 60 * MINUTE_MS),
    ...change,
  };
}

const queue = (outbox: Outbox, change: Partial<NewMail> = {}) =>
  transact(database, (tx) => outbox.queueMail(tx, newMail(change)));

async function readRows() {
  const { rows } = await sql<{
    readonly recipient: string;
    readonly attempts: number;
    readonly sealed_body: Buffer | null;
    readonly sent_at: Date | null;
    readonly given_up_at: Date | null;
  }>`select recipient, attempts, sealed_body, sent_at, given_up_at from outbox order by recipient`.execute(
    database.kysely,
  );
  return rows;
}

test("sends a mail once after its transaction commits, and erases its body", async () => {
  const outbox = open();
  await transact(database, async (tx) => {
    await outbox.queueMail(tx, newMail());
    await outbox.sendDue();
    expect(taken).toEqual([]);
  });
  const [waiting] = await readRows();
  expect(waiting?.sealed_body?.toString("latin1")).not.toContain("secret link");
  await outbox.sendDue();
  await outbox.sendDue();
  expect(taken).toEqual([
    {
      id: expect.any(String),
      to: "ada@example.com",
      subject: "Verify your email",
      text: "the secret link",
      html: "<p>the secret link</p>",
      writtenAt: time.now(),
    },
  ]);
  const sentAt = new Date(time.now());
  expect(await readRows()).toEqual([
    { recipient: "ada@example.com", attempts: 1, sealed_body: null, sent_at: sentAt, given_up_at: null },
  ]);
});

test("drops the mail of a transaction that rolls back", async () => {
  const outbox = open();
  const failing = transact(database, async (tx) => {
    await outbox.queueMail(tx, newMail());
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  await outbox.sendDue();
  expect([taken, await readRows()]).toEqual([[], []]);
});

test("checks for due mails every second", async () => {
  const outbox = open();
  await queue(outbox);
  time.advance(SECOND_MS + 20);
  wheel.tick();
  await expect.poll(() => taken.length).toBe(1);
});

test("retries after 5 s, then with doubled delay up to ten minutes [FAULT-09]", async () => {
  expect([1, 2, 3, 8, 9, 2_000].map(toPauseMs)).toEqual([5_000, 10_000, 20_000, 600_000, 600_000, 600_000]);
  let isAway = true;
  let asked = 0;
  const outbox = open(
    mailer(async () => {
      asked += 1;
      if (isAway) throw new Error("connection refused");
      return "delivered";
    }),
  );
  await queue(outbox);
  for (const pauseMs of [5_000, 10_000, 20_000]) {
    const before = asked;
    await outbox.sendDue();
    expect(asked).toBe(before + 1);
    time.advance(pauseMs - 1);
    await outbox.sendDue();
    expect(asked).toBe(before + 1);
    time.advance(1);
  }
  isAway = false;
  await outbox.sendDue();
  expect(taken).toHaveLength(1);
});

test("sends after a restart what a killed server had queued", async () => {
  await queue(open());
  await open().sendDue();
  expect(taken).toHaveLength(1);
});

test("sends again under the same id what a killed server was sending", async () => {
  const timers = openTimerWheel({ time, log: openTestLog() });
  const dying = open(
    mailer(() => new Promise(() => undefined)),
    SECRET,
    timers,
  );
  // A stopped server has no timers: it must not claim the mail again.
  timers.stop();
  opened.pop();
  await queue(dying);
  void dying.sendDue();
  await expect.poll(async () => (await readRows())[0]?.attempts).toBe(1);
  const next = open();
  time.advance(2 * MINUTE_MS - 1);
  await next.sendDue();
  expect(taken).toEqual([]);
  time.advance(1);
  await next.sendDue();
  expect(taken).toHaveLength(1);
});

test("sends each mail once among several servers", async () => {
  const first = open();
  const others = [open(), open()];
  const addresses = Array.from({ length: 60 }, (_, i) => `player${i}@example.com`);
  await transact(database, async (tx) => {
    for (const to of addresses) await first.queueMail(tx, newMail({ to }));
  });
  await Promise.all([first, ...others].map((outbox) => outbox.sendDue()));
  expect(taken.map(({ to }) => to).sort()).toEqual(addresses.sort());
});

test("does not delay other mails behind a slow one", async () => {
  let release: () => void = () => undefined;
  const outbox = open(
    mailer(async ({ to }) => {
      if (to === "slow@example.com") await new Promise<void>((resolve) => (release = resolve));
      return "delivered";
    }),
  );
  await queue(outbox, { to: "slow@example.com" });
  for (let i = 0; i < 10; i += 1) await queue(outbox, { to: `quick${i}@example.com` });
  const all = outbox.sendDue();
  await expect.poll(() => taken.length).toBe(10);
  release();
  await all;
  expect(taken.at(-1)?.to).toBe("slow@example.com");
});

test("stops at a permanent refusal and at expiry", async () => {
  const outbox = open(mailer(async ({ to }) => (to === "nobody@example.com" ? "refused" : "delivered")));
  await queue(outbox, { to: "nobody@example.com" });
  await queue(outbox, { to: "too-late@example.com", expiresAt: addMs(time.now(), 1) });
  time.advance(1);
  await outbox.sendDue();
  time.advance(60 * MINUTE_MS);
  await outbox.sendDue();
  expect(taken).toEqual([]);
  expect(await readRows()).toMatchObject([
    { recipient: "nobody@example.com", attempts: 1, sealed_body: null, sent_at: null, given_up_at: expect.any(Date) },
    { recipient: "too-late@example.com", attempts: 1, sealed_body: null, sent_at: null, given_up_at: expect.any(Date) },
  ]);
});

test("drops a mail that was sealed under another secret", async () => {
  await queue(open(mailer(), "another secret of thirty-two characters!"));
  await open().sendDue();
  expect(taken).toEqual([]);
  expect(await readRows()).toMatchObject([{ sealed_body: null, given_up_at: expect.any(Date) }]);
});

test("waits on close for deliveries in progress, cancels hanging ones and starts none", async () => {
  let deliverQuick: () => void = () => undefined;
  let begun = 0;
  const outbox = open(
    mailer(
      ({ to }, signal) =>
        new Promise((resolve, reject) => {
          begun += 1;
          if (to === "quick@example.com") deliverQuick = () => resolve("delivered");
          else signal.addEventListener("abort", () => reject(signal.reason));
        }),
    ),
  );
  await queue(outbox, { to: "hanging@example.com" });
  await queue(outbox, { to: "quick@example.com" });
  const sending = outbox.sendDue();
  await expect.poll(() => begun).toBe(2);
  const closing = outbox.close();
  deliverQuick();
  await closing;
  await sending;
  await queue(outbox, { to: "later@example.com" });
  await outbox.sendDue();
  expect(taken.map(({ to }) => to)).toEqual(["quick@example.com"]);
  time.advance(5_000);
  await open().sendDue();
  expect(taken.map(({ to }) => to).sort()).toEqual(["hanging@example.com", "later@example.com", "quick@example.com"]);
});

test.each([
  ["a subject", { subject: "Hello\r\nBcc: eve@example.com" }],
  ["an address", { to: "ada@example.com\nBcc: eve@example.com" }],
])("refuses %s with a line break", async (_what, change) => {
  const outbox = open();
  await expect(queue(outbox, change)).rejects.toThrow("control character");
  expect(await readRows()).toEqual([]);
});

test("deletes a finished mail after a month, but no waiting one", async () => {
  const adaAlone = mailer(async ({ to }) =>
    to === "ada@example.com" ? "delivered" : Promise.reject(new Error("away")),
  );
  const outbox = open(adaAlone);
  await queue(outbox);
  await queue(outbox, { to: "waiting@example.com", expiresAt: addMs(time.now(), 60 * 24 * 60 * MINUTE_MS) });
  await outbox.sendDue();
  // A wheel steps through every tick, so this month passes between two of them.
  wheel.stop();
  time.advance(30 * 24 * 60 * MINUTE_MS);
  wheel = openTimerWheel({ time, log: openTestLog() });
  open(adaAlone);
  time.advance(SECOND_MS + 20);
  wheel.tick();
  await expect.poll(async () => (await readRows()).map(({ recipient }) => recipient)).toEqual(["waiting@example.com"]);
});
