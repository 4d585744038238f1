import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Outbox } from "./outbox.ts";

let writes: string[] = [];
let outbox: Outbox;

beforeEach(() => {
  vi.useFakeTimers();
  writes = [];
  outbox = new Outbox((subject, text) => writes.push(`${subject} ${text}`));
});
afterEach(() => void vi.useRealTimers());

/** As the records of one commit are. */
async function addInOneTick(...texts: readonly string[]): Promise<void> {
  for (const text of texts) outbox.add("table", text);
  await vi.advanceTimersByTimeAsync(0);
}

test("sends a message at once after a pause, and holds the next one for two milliseconds", async () => {
  await addInOneTick("1", "2");
  expect(writes).toEqual(["table 1", "table 2"]);
  await addInOneTick("3");
  await vi.advanceTimersByTimeAsync(1);
  expect(writes).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(writes).toEqual(["table 1", "table 2", "table 3"]);
});

test("sends held messages with the next ones, in order and once", async () => {
  await addInOneTick("1");
  await vi.advanceTimersByTimeAsync(0);
  await addInOneTick("2");
  await vi.advanceTimersByTimeAsync(1);
  expect(writes).toEqual(["table 1"]);
  await addInOneTick("3");
  expect(writes).toEqual(["table 1", "table 2", "table 3"]);
  await vi.advanceTimersByTimeAsync(20);
  expect(writes).toHaveLength(3);
});

test("sends everything when it is told to, as at a shutdown", async () => {
  await addInOneTick("1");
  outbox.add("table", "2");
  outbox.send();
  expect(writes).toEqual(["table 1", "table 2"]);
  await vi.advanceTimersByTimeAsync(20);
  expect(writes).toHaveLength(2);
});

test("joins what waits for a subject into one array, in the place of its first message", async () => {
  for (const [subject, text] of [
    ["one", "1"],
    ["other", "2"],
    ["one", "3"],
  ] as const)
    outbox.join(subject, text);
  outbox.add("all", "4");
  await vi.advanceTimersByTimeAsync(0);
  expect(writes).toEqual(["one [1,3]", "other [2]", "all 4"]);
  outbox.join("one", "5");
  await vi.advanceTimersByTimeAsync(10);
  expect(writes.slice(3)).toEqual(["one [5]"]);
});

test("joins no more than NATS takes in one message", async () => {
  const text = JSON.stringify("x".repeat(100_000));
  for (let count = 0; count < 5; count += 1) outbox.join("one", text);
  await vi.advanceTimersByTimeAsync(0);
  expect(writes.map((write) => JSON.parse(write.slice("one ".length)).length)).toEqual([2, 2, 1]);
});
