import { expect, test, vi } from "vitest";
import { makeVisitorQueue, type VisitorQueue } from "./visitor-queue.ts";

function makeRequests(queue: VisitorQueue, onStart: () => void = () => undefined) {
  const started: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    refused,
    add(source: string, name = source): void {
      queue.add(source, {
        start(end) {
          started.push(name);
          ends.set(name, end);
          onStart();
        },
        refuse: () => refused.push(name),
      });
    },
    end: (name: string): void => ends.get(name)?.(),
  };
}

async function withTimers(run: (passMs: (ms: number) => Promise<void>) => Promise<void>): Promise<void> {
  vi.useFakeTimers();
  try {
    await run(async (ms) => void (await vi.advanceTimersByTimeAsync(ms)));
  } finally {
    vi.useRealTimers();
  }
}

test("starts two at once, then one for each that ended; addresses take turns", async () => {
  await withTimers(async (passMs) => {
    const requests = makeRequests(makeVisitorQueue());
    for (const name of ["a1", "a2", "a3", "a4"]) requests.add("a", name);
    requests.add("b");
    expect(requests.started).toEqual(["a1", "a2"]);
    requests.end("a1");
    await passMs(10);
    expect(requests.started).toEqual(["a1", "a2", "a3"]);
    requests.end("a2");
    await passMs(10);
    expect(requests.started).toEqual(["a1", "a2", "a3", "b"]);
    requests.end("a3");
    await passMs(10);
    expect(requests.started.at(-1)).toBe("a4");
  });
});

test("starts a request that came while two were running and none waited", async () => {
  await withTimers(async (passMs) => {
    const requests = makeRequests(makeVisitorQueue());
    for (const name of ["a", "b"]) requests.add(name);
    await passMs(20);
    requests.add("c");
    requests.end("a");
    await passMs(10);
    expect(requests.started).toEqual(["a", "b", "c"]);
  });
});

test("serves an address that asked for little before those of a flood", async () => {
  await withTimers(async (passMs) => {
    const requests = makeRequests(makeVisitorQueue());
    for (let index = 0; index < 20; index += 1)
      for (const source of ["x", "y"]) requests.add(source, `${source}${index}`);
    for (const { length } = requests.started; requests.started.length < length + 22; ) {
      for (const name of requests.started) requests.end(name);
      await passMs(5);
    }
    requests.add("ada");
    for (const name of requests.started) requests.end(name);
    const { length } = requests.started;
    await passMs(5);
    expect(requests.started[length]).toBe("ada");
  });
});

test("lets others start if a request waits for something else", async () => {
  await withTimers(async (passMs) => {
    const requests = makeRequests(makeVisitorQueue());
    for (const name of ["a", "b", "c", "d"]) requests.add(name);
    expect(requests.started).toEqual(["a", "b"]);
    await passMs(100);
    expect(requests.started).toEqual(["a", "b", "c", "d"]);
  });
});

test("pauses after a burst of work, so that everything else is served", async () => {
  await withTimers(async (passMs) => {
    let spentMs = 0;
    const requests = makeRequests(
      makeVisitorQueue(() => spentMs),
      () => {
        spentMs += 5;
      },
    );
    const addAndEnd = (name: string): void => {
      requests.add(name);
      requests.end(name);
    };
    for (const name of ["a", "b", "c"]) addAndEnd(name);
    expect(requests.started).toEqual(["a"]);
    await passMs(5);
    expect(requests.started).toEqual(["a", "b"]);
    await passMs(5);
    expect(requests.started).toEqual(["a", "b", "c"]);
  });
});

test("refuses the newest request of the address with the most if too many wait", () => {
  const requests = makeRequests(makeVisitorQueue());
  // Two start, ten wait among those with few requests, and a thousand among the others.
  for (let index = 0; index < 1_012; index += 1) requests.add("flooder", `f${index}`);
  expect(requests.refused).toEqual([]);
  for (let index = 0; index < 12; index += 1) requests.add("ada");
  expect(requests.refused).toEqual([]);
  requests.add("ada");
  expect(requests.refused).toEqual(["f1011"]);
});
