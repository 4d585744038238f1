import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type BareServer, makeBareServer, makeTestLinks, type TestLinks, TestNetwork } from "../testing/test-links.ts";
import { openTestLog } from "../testing/test-log.ts";
import { makeTestTime, type TestTime } from "../testing/test-time.ts";
import { openTimerWheel, type TimerWheel } from "../time/timer-wheel.ts";
import { NoAnswer } from "./links.ts";

interface Server {
  readonly own: BareServer;
  readonly links: TestLinks;
  /** What it received, in order. */
  readonly received: string[];
  readonly gaps: string[];
}

const [A, B, C] = ["server-a", "server-b", "server-c"];

let network: TestNetwork;
let time: TestTime;
let wheel: TimerWheel;
let a: Server;
let b: Server;

function open(id: string, others: readonly string[], secret?: string): Server {
  const own = makeBareServer(id, others);
  const links = makeTestLinks({ network, own, time, wheel, ...(secret !== undefined && { secret }) });
  const [received, gaps]: [string[], string[]] = [[], []];
  links.onMessage("say", (text: string, from) => received.push(`${from}: ${text}`));
  links.onGap((from) => gaps.push(from));
  return { own, links, received, gaps };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  network = new TestNetwork();
  time = makeTestTime();
  wheel = openTimerWheel({ time, log: openTestLog() });
  a = open(A, [B]);
  b = open(B, [A]);
});

afterEach(() => void vi.useRealTimers());

/** Messages of one tick are sent after it, or with the next count. */
async function pass(ms = 1_000): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 100) {
    time.advance(100);
    wheel.tick();
    await vi.advanceTimersByTimeAsync(100);
  }
}

/** Nothing was received of it before. */
async function meet(): Promise<void> {
  await pass();
  for (const { gaps } of [a, b]) gaps.splice(0);
}

function say(text: string): void {
  a.links.send(B, "say", text);
}

describe("messages", () => {
  test("arrive in order, and those of a moment in one write", async () => {
    await meet();
    const before = network.published.length;
    for (const text of ["1", "2", "3"]) say(text);
    await pass(100);
    expect(b.received).toEqual(["server-a: 1", "server-a: 2", "server-a: 3"]);
    expect(network.published.length).toBe(before + 1);
  });

  test("go to every server that serves, or to one", async () => {
    const c = open(C, [A, B]);
    a.own.setOthers([B, C]);
    a.links.broadcast("say", "all");
    a.links.send(C, "say", "c");
    await pass();
    expect([b.received, c.received]).toEqual([["server-a: all"], ["server-a: all", "server-a: c"]]);
  });

  test("of a server that is not known yet are received: it has started since the last reading", async () => {
    b.own.setOthers([]);
    say("hello");
    await pass();
    expect(b.received).toEqual(["server-a: hello"]);
  });

  test("that fail do not keep the next ones from being received", async () => {
    b.links.onMessage("fail", () => {
      throw new Error("no");
    });
    a.links.send(B, "fail", null);
    say("next");
    await pass();
    expect(b.received).toEqual(["server-a: next"]);
  });
});

describe("gaps", () => {
  test("a new server is one, once", async () => {
    await pass(2_000);
    expect([a.gaps, b.gaps]).toEqual([[B], [A]]);
  });

  test("lost messages are one, before the next message", async () => {
    await meet();
    network.isLosing = true;
    say("lost");
    await pass(100);
    network.isLosing = false;
    b.links.onGap(() => b.received.push("gap"));
    say("next");
    await pass(100);
    expect(b.received).toEqual(["gap", "server-a: next"]);
  });

  test("the loss of the last message shows by the next count", async () => {
    await meet();
    network.isLosing = true;
    say("lost");
    await pass(100);
    network.isLosing = false;
    expect(b.gaps).toEqual([]);
    await pass();
    expect(b.gaps).toEqual([A]);
  });

  test("messages that are only late are none", async () => {
    await meet();
    network.isHolding = true;
    say("1");
    await pass();
    say("2");
    await pass();
    network.deliver();
    expect([b.received, b.gaps]).toEqual([["server-a: 1", "server-a: 2"], []]);
  });
});

describe("what anyone may publish", () => {
  test("is refused without the signature of the servers' secret", async () => {
    await meet();
    const stranger = open(C, [B], "another secret of servers elsewhere");
    stranger.links.send(B, "say", "forged");
    await pass();
    const { subject, text } = network.published.findLast((one) => one.subject.endsWith(B))!;
    network.inject(subject, text.replace(/"items":\[.*$/, '"items":[{"topic":"say","message":"changed"}]}'));
    network.inject(subject, "not a message");
    expect([b.received, b.gaps]).toEqual([[], []]);
  });

  test("is refused as a copy: again, later, to another server or to a later id", async () => {
    await meet();
    say("once");
    await pass(100);
    const { subject, text } = network.published.findLast((one) => one.text.includes("once"))!;
    network.inject(subject, text);
    say("twice");
    await pass(100);
    network.inject(subject, text);
    network.inject(subject.replace(B, A), text);
    b.own.renew(C);
    network.inject(subject.replace(B, C), text);
    expect(b.received).toEqual(["server-a: once", "server-a: twice"]);
    expect([a.received, a.gaps, b.gaps]).toEqual([[], [], []]);
  });

  test("is refused in the name of a server that has ended, as a frozen one sends it later", async () => {
    await meet();
    b.own.noteEnded(A);
    say("late");
    await pass();
    expect([b.received, b.gaps]).toEqual([[], []]);
  });
});

describe("requests", () => {
  beforeEach(() => {
    b.links.onRequest("double", async (value: number, from) => ({ from, value: 2 * value }));
  });

  test("are answered, several at once and each with its own answer", async () => {
    const answers = Promise.all([1, 2, 3].map((value) => a.links.request(B, "double", value)));
    await pass();
    expect(await answers).toEqual([2, 4, 6].map((value) => ({ from: A, value })));
  });

  async function expectNone(answer: Promise<unknown>): Promise<void> {
    await expect(answer).rejects.toThrow(NoAnswer);
  }

  test("without an answer in time fail, and a later answer changes nothing", async () => {
    await meet();
    network.isHolding = true;
    const answer = expectNone(a.links.request(B, "double", 1, 1_000));
    await pass(1_500);
    await answer;
    network.deliver();
    await pass();
    expect([a.gaps, b.gaps]).toEqual([[], []]);
  });

  test("fail at once if the other cannot answer them", async () => {
    b.links.onRequest("fail", async () => {
      throw new Error("no");
    });
    const answers = [a.links.request(B, "fail", null), a.links.request(B, "unheard", null)].map(expectNone);
    await pass(100);
    await Promise.all(answers);
  });

  test("fail at once when the other has ended, when this server goes on under a new id, and without NATS", async () => {
    const c = open(C, [A]);
    network.isLosing = true;
    const answers = [a.links.request(B, "double", 1), c.links.request(A, "double", 1)].map(expectNone);
    a.own.noteEnded(B);
    c.own.renew("server-d");
    a.links.carrier.isCut = true;
    await Promise.all([
      ...answers,
      expectNone(a.links.request(C, "double", 1)),
      expectNone(a.links.request(B, "double", 1)),
    ]);
  });

  test("are not answered by a server that may not act", async () => {
    b.own.setLive(false);
    const answer = expectNone(a.links.request(B, "double", 1));
    await pass(3_000);
    await answer;
  });
});

test("a server that goes on under a new id is heard under it, and what waited under the old one is not sent", async () => {
  await meet();
  say("old");
  a.own.renew(C);
  a.links.send(B, "say", "new");
  await pass();
  expect([b.received, b.gaps]).toEqual([["server-c: new"], [C]]);
  b.links.send(C, "say", "welcome");
  await pass();
  expect(a.received).toEqual(["server-b: welcome"]);
});

test("knows how long another server was silent, and nothing of one that it does not know", async () => {
  await meet();
  b.links.carrier.isCut = true;
  await pass(3_000);
  expect([a.links.silentMs(B) >= 2_500, a.links.silentMs(C)]).toEqual([true, 0]);
  b.links.carrier.isCut = false;
  await pass();
  expect(a.links.silentMs(B)).toBeLessThan(500);
});
