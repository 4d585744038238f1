import { expect, it } from "vitest";
import { noteDatabaseAddress } from "./database/database-failure.ts";
import { noteDatabaseAnswer, openLog } from "./log.ts";
import { LogScope, runInLogScope } from "./log-scope.ts";

function logged(write: (log: ReturnType<typeof openLog>) => void): string[] {
  const lines: string[] = [];
  write(openLog("info", { write: (line: string) => void lines.push(line) }));
  return lines;
}

it("redacts secrets and personal data at every supported depth", () => {
  const [line = ""] = logged((log) =>
    log.info(
      {
        email: "a@b.ng",
        headers: { cookie: "s=1" },
        request: { body: { password: "p", accountNumber: "0123456789" } },
      },
      "in",
    ),
  );
  expect(JSON.parse(line)).toMatchObject({
    email: "[redacted]",
    headers: { cookie: "[redacted]" },
    request: { body: { password: "[redacted]", accountNumber: "[redacted]" } },
    msg: "in",
  });
});

it("omits the row that PostgreSQL repeats in an error, and keeps the diagnostics", () => {
  const err = Object.assign(new Error("duplicate key"), {
    code: "23505",
    constraint: "users_email",
    detail: "(a@b.ng) exists",
  });
  const [line = ""] = logged((log) => log.error({ err: new Error("outer", { cause: err }) }, "failed"));
  expect(line).not.toContain("a@b.ng");
  expect(JSON.parse(line).err).toMatchObject({ message: "outer", cause: { code: "23505", constraint: "users_email" } });
});

it("writes one line per record, whatever it contains", () => {
  const lines = logged((log) => log.info({ name: 'a\r\n{"level":60,"msg":"forged"}' }, "b\nc"));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/);
});

it("adds the ids of the running work until its end, also after a pause, and not outside", async () => {
  const lines: object[] = [];
  const log = openLog("info", { write: (line) => void lines.push(JSON.parse(line) as object) });
  const [scope, other] = [new LogScope({ requestId: "first" }), new LogScope({ requestId: "second" })];
  const work = runInLogScope(scope, async () => {
    log.info("before");
    await null;
    log.info({ payment: 7 }, "after");
    runInLogScope(null, () => log.info("outside"));
    scope.end();
    log.info("later");
  });
  runInLogScope(other, () => log.info("beside"));
  await work;
  expect(lines.map((line) => ({ ...line, time: 0, level: 0 }))).toEqual(
    [
      { requestId: "first", msg: "before" },
      { requestId: "second", msg: "beside" },
      { requestId: "first", payment: 7, msg: "after" },
      { msg: "outside" },
      { msg: "later" },
    ].map((line) => ({ ...line, time: 0, level: 0 })),
  );
});

// [OPS-54 §-] An outage of the database is two lines in the log: what happened at first, and at the end how long it
// took and how many failures it caused. Alerts and failures of other services are written as ever.
it("writes the beginning and the end of a database's outage, and counts the failures between [OPS-54]", () => {
  noteDatabaseAddress("postgres://ada:hunter2@db.internal:5433/arena");
  const refused = (port: number) =>
    Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), {
      code: "ECONNREFUSED",
      syscall: "connect",
      port,
    });
  const starting = Object.assign(new Error("the database system is starting up"), { code: "57P03" });
  const lines = logged((log) => {
    noteDatabaseAnswer(log);
    log.warn({ err: new Error("Connection terminated unexpectedly") }, "an idle database connection was lost");
    log.error({ err: refused(5433) }, "a heartbeat failed");
    log.error({ err: new Error("unknown outcome", { cause: new AggregateError([refused(5433)]) }) }, "a job failed");
    // Another service, a fault of our own and an alert are written as ever.
    log.error({ err: refused(25) }, "a mail could not be sent");
    log.error({ err: new Error("unexpected") }, "a request failed");
    log.error({ err: starting, alert: "payments" }, "a payment is in doubt");
    noteDatabaseAnswer(log);
    log.error({ err: starting }, "a request failed");
    noteDatabaseAnswer(log);
    noteDatabaseAnswer(log);
    noteDatabaseAnswer(log);
    log.error({ err: Object.assign(new Error("read-only"), { code: "25006" }) }, "a heartbeat failed");
  }).map((line) => JSON.parse(line));
  expect(lines.map(({ msg }) => msg)).toEqual([
    "the database is unreachable; further failures because of it are counted",
    "a mail could not be sent",
    "a request failed",
    "a payment is in doubt",
    expect.stringMatching(/^the database is reachable again after \d+ s, 4 failures$/),
    "the database cannot be written to; further failures because of it are counted",
  ]);
  expect(lines[0]).toMatchObject({
    level: 40,
    reason: "Connection terminated unexpectedly",
    first: "an idle database connection was lost",
  });
  expect(lines[0]).not.toHaveProperty("err");
});
