import { toKobo } from "@holo/kernel/money.ts";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { openClock } from "./clock.ts";
import { openScheduler } from "./scheduler.ts";
import { makeState, type Task } from "./state.ts";

test("runs what its tasks make due before it has advanced, even if the machine is slow", async () => {
  const state = makeState(DEFAULT_SETTINGS, toKobo(0n));
  const clock = openClock(state);
  const done: Task["type"][] = [];
  const scheduler = openScheduler(state, clock, (task) => {
    done.push(task.type);
    if (task.type === "deliver") return;
    // Longer than the advance leaves.
    clock.set(clock.now() + 2_000);
    scheduler.schedule({ type: "deliver", deliveryId: 1 }, clock.now());
  });
  scheduler.schedule({ type: "reverse_charge", reference: "holo-1" }, clock.now() + 59_500);
  await scheduler.advance(60_000);
  expect(done).toEqual(["reverse_charge", "deliver"]);
  await scheduler.close();
});
