import { expect, test } from "vitest";
import { type Jump, toTableTime } from "../judge/evidence.ts";
import { advanceTables } from "./advance-tables.ts";

test("counts what is received between a server's jump and its confirmation as sent after the jump", async () => {
  const jumps: Jump[] = [];
  const received: number[] = [];
  const untilNextMs = async (): Promise<void> => {
    for (const fromMs = Date.now(); Date.now() === fromMs; ) await Promise.resolve();
  };
  const installation = {
    async advanceTables() {
      await untilNextMs();
      received.push(Date.now());
      await untilNextMs();
    },
  };
  const beforeMs = Date.now();
  await advanceTables({ installation, record: { jumps } }, 600_000);
  expect(received.map((atMs) => toTableTime(atMs, jumps) - atMs)).toEqual([600_000]);
  expect(toTableTime(beforeMs, jumps)).toBe(beforeMs);
});
