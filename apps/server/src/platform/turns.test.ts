import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("runs a limited number at once, then the waiting ones in order, also after a failure", async () => {
  const turns = new Turns(2);
  const started: number[] = [];
  const works = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const ends = works.map(({ promise }, index) =>
    turns.run(() => {
      started.push(index);
      return promise;
    }),
  );
  expect(started).toEqual([0, 1]);
  works[1]!.reject(new Error("lost"));
  await expect(ends[1]).rejects.toThrow("lost");
  expect(started).toEqual([0, 1, 2]);
  works[0]!.resolve();
  await ends[0];
  expect(started).toEqual([0, 1, 2, 3]);
  works[2]!.resolve();
  works[3]!.resolve();
  await Promise.all([ends[2], ends[3]]);
  await turns.run(async () => void started.push(4));
  expect(started).toEqual([0, 1, 2, 3, 4]);
});
