import { afterEach, expect, test } from "vitest";
import { openMetrics } from "../metrics/metrics.ts";
import { makeCarriers } from "../testing/test-carriers.ts";
import { openTestLog } from "../testing/test-log.ts";
import type { Carrier } from "./nats.ts";
import { openServers, type Servers } from "./servers.ts";

const open: Servers[] = [];
let monotonicMs = 0;

function openServer(carrier: Carrier, serverId: string): Servers {
  const servers = openServers({
    serverId,
    carrier,
    log: openTestLog(),
    metrics: openMetrics({ process: false }),
    prefix: "test",
    monotonicMs: () => monotonicMs,
  });
  open.push(servers);
  return servers;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    monotonicMs += 20;
  }
}

afterEach(async () => {
  for (const servers of open.splice(0)) await servers.close();
});

test("servers know what others hold, also after all messages about it were lost", async () => {
  const carriers = makeCarriers();
  const [one, other] = [carriers.open(), carriers.open()];
  const first = openServer(one, "first");
  const second = openServer(other, "second");
  const changes: string[] = [];
  second.onHeldElsewhere((key, isHeld) => changes.push(`${key} ${isHeld}`));
  first.hold("ada");
  second.hold("ada");
  await until(() => second.isHeldElsewhere("ada"));
  expect([first.countElsewhere(), second.countElsewhere()]).toEqual([0, 0]);
  carriers.isLosing = true;
  first.release("ada");
  first.hold("bola");
  first.hold("game bola");
  await new Promise((resolve) => setImmediate(resolve));
  carriers.isLosing = false;
  await until(() => second.isHeldElsewhere("game bola"));
  expect([second.isHeldElsewhere("ada"), second.isHeldElsewhere("bola")]).toEqual([false, true]);
  expect(second.countElsewhere()).toBe(1);
  expect(changes.filter((change) => change.startsWith("ada"))).toEqual(["ada true", "ada false"]);
});

test("a lost hint is noticed, as is a server that was cut off", async () => {
  const carriers = makeCarriers();
  const [one, other] = [carriers.open(), carriers.open()];
  const first = openServer(one, "first");
  const second = openServer(other, "second");
  const received: unknown[] = [];
  let missed = 0;
  second.onHint((_topic, message) => received.push(message));
  second.onMissed(() => {
    missed += 1;
  });
  first.send("topic", 1);
  // What the first one sent before this contact is unknown.
  expect([received, missed]).toEqual([[1], 1]);
  first.send("topic", 2);
  expect([received, missed]).toEqual([[1, 2], 1]);
  carriers.isLosing = true;
  first.send("topic", 3);
  carriers.isLosing = false;
  await until(() => missed === 2);
  first.send("topic", 4);
  expect([received, missed]).toEqual([[1, 2, 4], 2]);
  other.connect();
  expect(missed).toBe(3);
});

test("sends to the servers that hold one of the keys alone, past a message that cannot be handled", async () => {
  const carriers = makeCarriers();
  const [first, second, third] = ["first", "second", "third"].map((id) => openServer(carriers.open(), id));
  const received: unknown[] = [];
  for (const [server, name] of [
    [second!, "second"],
    [third!, "third"],
  ] as const) {
    server.onSentHere((message) => {
      if (message === "faulty") throw new Error("a fault");
      received.push([name, message]);
    });
  }
  second!.hold("game ada");
  third!.hold("other ada");
  await until(() => first!.isHeldElsewhere("game ada") && first!.isHeldElsewhere("other ada"));
  first!.sendToHolders(["game ada", "game bola"], "faulty");
  first!.sendToHolders(["game ada", "game bola"], { move: 1 });
  first!.sendToHolders(["game chi"], { move: 2 });
  expect(received).toEqual([["second", { move: 1 }]]);
});

test("what a silent server held is dropped, and remembered for the credit of its outage", async () => {
  const carriers = makeCarriers();
  const [one, other] = [carriers.open(), carriers.open()];
  const first = openServer(one, "first");
  const second = openServer(other, "second");
  first.hold("game ada");
  await until(() => second.isHeldElsewhere("game ada"));
  const isUncertain = (overdueMs = 1_000) => second.isHeldByLost("game ada", overdueMs);
  expect([isUncertain(), second.isHeldByLost("game bola", 0)]).toEqual([false, false]);
  one.isCut = true;
  expect(second.isInDoubt("game ada", 400)).toBe(false);
  monotonicMs += 500;
  const doubts = () => ["game ada", "game bola"].map((key) => second.isInDoubt(key, 400));
  expect(doubts()).toEqual([true, false]);
  monotonicMs += 501;
  expect(doubts()).toEqual([false, false]);
  expect(isUncertain()).toBe(true);
  expect(second.isInContact("first")).toBe(false);
  expect([second.findLossMs("game ada"), second.findLossMs("game bola")]).toEqual([expect.any(Number), null]);
  expect(second.isHeldElsewhere("game ada")).toBe(true);
  await until(() => !second.isHeldElsewhere("game ada"));
  expect([...second.findServed("first")!.keys()]).toEqual(["game ada"]);
  expect([isUncertain(), isUncertain(9_000)]).toEqual([true, false]);
  expect(second.findLossMs("game ada")).toBeGreaterThan(2_000);
  second.markOutageKnown("first");
  expect([isUncertain(), second.findLossMs("game ada")]).toEqual([false, null]);
  one.isCut = false;
  await until(() => second.isHeldElsewhere("game ada"));
  expect(isUncertain()).toBe(false);
});

test("a server that hands players over serves the others, and both times are known after its end", async () => {
  const carriers = makeCarriers();
  const first = openServer(carriers.open(), "first");
  const second = openServer(carriers.open(), "second");
  first.hold("game ada");
  first.hold("game bola");
  await until(() => second.isHeldElsewhere("game bola"));
  expect(second.isStaying("first")).toBe(true);
  first.startHandover();
  expect([second.isStaying("first"), second.isInContact("first")]).toEqual([false, true]);
  first.handOver(["game ada"]);
  first.release("game ada");
  const isUncertain = (): readonly boolean[] => ["game ada", "game bola"].map((key) => second.isHeldByLost(key, 0));
  expect(isUncertain()).toEqual([true, false]);
  monotonicMs += 400;
  const losses = (server: Servers): unknown => ["game ada", "game bola"].map((key) => server.findLossMs(key));
  expect(losses(second)).toEqual([400, null]);
  const carrier = carriers.open();
  const third = openServer(carrier, "third");
  carrier.connect();
  expect(losses(third)).toEqual([400, null]);
  first.keepShare();
  monotonicMs += 200;
  expect([losses(second), losses(third)]).toEqual([
    [600, 200],
    [600, 200],
  ]);
  await first.close();
  expect(losses(second)).toEqual([600, 200]);
  expect([...second.findServed("first")!]).toEqual([
    ["game ada", 600],
    ["game bola", null],
  ]);
});

// [SERVERS-35 §- r30] A player who was handed over in the moment in which NATS was lost is not charged for the change
// of server.
test("players handed over while NATS is lost count from the last message, on either side [SERVERS-35]", async () => {
  const carriers = makeCarriers();
  const [one, other] = [carriers.open(), carriers.open()];
  const first = openServer(one, "first");
  const second = openServer(other, "second");
  for (const key of ["game ada", "game bola"]) first.hold(key);
  await until(() => second.isHeldElsewhere("game bola") && first.isStaying("second"));
  first.startHandover();
  first.handOver(["game ada"]);
  monotonicMs += 100;
  first.send("topic", 1);
  one.isCut = true;
  // From now on no server can take its players, as far as it knows.
  expect(first.isStaying("second")).toBe(false);
  first.handOver(["game bola"]);
  monotonicMs += 300;
  const served = [
    ["game ada", 400],
    ["game bola", 300],
  ];
  expect([...second.findServed("first")!]).toEqual(served);
  other.isCut = true;
  expect([...second.findServed("first")!]).toEqual(served);
  const third = openServer(carriers.open(), "third");
  third.hold("game ada");
  expect(second.findServed("third")).toBeNull();
});

test("a handover is known although its announcement was lost [SERVERS-35]", async () => {
  const carriers = makeCarriers();
  const first = openServer(carriers.open(), "first");
  const second = openServer(carriers.open(), "second");
  first.hold("game ada");
  await until(() => second.isStaying("first"));
  carriers.isLosing = true;
  first.startHandover();
  carriers.isLosing = false;
  await until(() => second.isInContact("first") && !second.isStaying("first"));
});

test("without NATS, players of a server that hands over are unknown unless all were known before [SERVERS-35]", async () => {
  const carriers = makeCarriers();
  const first = openServer(carriers.open(), "first");
  const carrier = carriers.open();
  carriers.isLosing = true;
  first.hold("game ada");
  await new Promise((resolve) => setImmediate(resolve));
  carriers.isLosing = false;
  const second = openServer(carrier, "second");
  first.startHandover();
  first.hold("game bola");
  await until(() => second.isHeldElsewhere("game bola"));
  const isPartial = !second.isHeldElsewhere("game ada");
  carrier.isCut = true;
  expect([isPartial, second.findServed("first")]).toEqual([true, null]);
  carrier.isCut = false;
  await until(() => second.isHeldElsewhere("game ada"));
  carrier.isCut = true;
  expect([...second.findServed("first")!.keys()].sort()).toEqual(["game ada", "game bola"]);
});

test("a server that closes serves no player from then on, although its messages arrive until it has ended", async () => {
  const carriers = makeCarriers();
  const first = openServer(carriers.open(), "first");
  const second = openServer(carriers.open(), "second");
  first.hold("game ada");
  await until(() => second.isHeldElsewhere("game ada"));
  expect(second.findLossMs("game ada")).toBeNull();
  first.keepShare();
  first.release("game ada");
  monotonicMs += 700;
  expect(second.findLossMs("game ada")).toBe(700);
  await first.close();
  monotonicMs += 300;
  expect(second.findLossMs("game ada")).toBe(1_000);
});

// [SERVERS-31 §-] A player who changes to a server that lost NATS gets no time for it: their earlier server is not
// taken for lost.
test("a server that lost NATS itself takes no other server for lost, nor once it is back [SERVERS-31]", async () => {
  const carriers = makeCarriers();
  const [one, other] = [carriers.open(), carriers.open()];
  const first = openServer(one, "first");
  const second = openServer(other, "second");
  first.hold("game ada");
  await until(() => second.isHeldElsewhere("game ada"));
  other.isCut = true;
  const cutMs = monotonicMs;
  const losses: unknown[] = [];
  await until(() => {
    losses.push(second.findLossMs("game ada"));
    return monotonicMs - cutMs > 1_500;
  });
  expect(losses.filter((lossMs) => lossMs !== null)).toEqual([]);
  one.isCut = true;
  other.isCut = false;
  other.connect();
  const backMs = monotonicMs;
  await until(() => second.findLossMs("game ada") !== null);
  expect(second.findLossMs("game ada")).toBeLessThanOrEqual(monotonicMs - backMs);
  await until(() => !second.isHeldElsewhere("game ada"));
  expect(second.findLossMs("game ada")).toBeLessThanOrEqual(monotonicMs - backMs);
});
