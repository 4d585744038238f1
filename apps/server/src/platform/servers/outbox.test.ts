import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Outbox } from "./outbox.ts";

let writes: string[] = [];
let outbox: Outbox;

beforeEach(() => {
  vi.useFakeTimers();
  writes = [];
  outbox = new Outbox((receiver, texts) => writes.push(`${receiver} ${texts.join()}`));
});
afterEach(() => void vi.useRealTimers());

/** As the records of one commit are. */
async function addInOneTick(receiver: string, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) outbox.add(receiver, text);
  await vi.advanceTimersByTimeAsync(0);
}

test("sends the messages of one tick at once after a pause, and holds the next ones for two milliseconds", async () => {
  await addInOneTick("one", "1", "2");
  expect(writes).toEqual(["one 1,2"]);
  await addInOneTick("one", "3");
  await vi.advanceTimersByTimeAsync(1);
  await addInOneTick("one", "4");
  expect(writes).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(writes).toEqual(["one 1,2", "one 3,4"]);
});

test("sends held messages with those for another receiver, in the order of their first ones and once", async () => {
  await addInOneTick("one", "1");
  await addInOneTick("one", "2");
  expect(writes).toEqual(["one 1"]);
  await addInOneTick("other", "3");
  expect(writes).toEqual(["one 1", "one 2", "other 3"]);
  await vi.advanceTimersByTimeAsync(20);
  expect(writes).toHaveLength(3);
});

test("sends everything when it is told to, as at a shutdown", async () => {
  await addInOneTick("one", "1");
  outbox.add("one", "2");
  outbox.send();
  expect(writes).toEqual(["one 1", "one 2"]);
  await vi.advanceTimersByTimeAsync(20);
  expect(writes).toHaveLength(2);
});

test("joins no more than NATS takes in one message", async () => {
  const text = JSON.stringify("x".repeat(100_000));
  for (let count = 0; count < 5; count += 1) outbox.add("one", text);
  await vi.advanceTimersByTimeAsync(0);
  expect(writes.map((write) => write.split(",").length)).toEqual([2, 2, 1]);
});
