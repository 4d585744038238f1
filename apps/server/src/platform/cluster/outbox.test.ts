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

test("sends a message at once after a pause, and holds the next one for six milliseconds", async () => {
  await addInOneTick("1", "2");
  expect(writes).toEqual(["table 1", "table 2"]);
  await addInOneTick("3");
  await vi.advanceTimersByTimeAsync(5);
  expect(writes).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(writes).toEqual(["table 1", "table 2", "table 3"]);
});

test("sends held messages with the next ones, in order and once", async () => {
  await addInOneTick("1");
  await vi.advanceTimersByTimeAsync(4);
  await addInOneTick("2");
  await vi.advanceTimersByTimeAsync(4);
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
