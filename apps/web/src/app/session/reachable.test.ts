import { expect, it } from "vitest";
import { setReachable, untilUnreachable } from "./reachable.ts";

it("is resolved if the server was unreachable before", async () => {
  const later = untilUnreachable();
  setReachable(false);
  await later;
  await expect(untilUnreachable()).resolves.toBeUndefined();
  setReachable(true);
});
