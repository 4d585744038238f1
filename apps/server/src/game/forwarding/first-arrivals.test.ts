import { toCommandId, toGameId } from "@holo/kernel/ids.ts";
import { expect, test } from "vitest";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import type { Order } from "../table/orders.ts";
import { FirstArrivals } from "./first-arrivals.ts";

const gameId = toGameId("6d1e1c0e-0000-4000-8000-000000000001");
const commandId = toCommandId("6d1e1c0e-0000-4000-8000-000000000002");
const player = "white" as Order["player"];
const order: Order = { type: "move", player, gameId, commandId, atVersion: 6, path: [42, 33] };

test("a copy of a move arrived when the first one did, with its thought, until that is answered", () => {
  const time = makeTestTime();
  const arrivals = new FirstArrivals(time);
  arrivals.turnStarted(gameId, player, 0);
  time.advance(2_000);
  const first = arrivals.note(order, 0, 0);
  time.advance(5_000);
  expect(arrivals.note(order, 0, 0).at).toBe(first.at);
  expect(arrivals.measure(order)).toEqual({ thinkMs: 2_000, waitedMs: 5_000 });
  arrivals.answered(order, { type: "unknown" });
  expect(arrivals.note(order, 0, 0).at).toBe(first.at);
  arrivals.answered(order, { type: "done", gameId, version: 7, status: "active", isRepeat: false });
  expect(arrivals.note(order, 0, 0).at).toBe(time.now());
});
