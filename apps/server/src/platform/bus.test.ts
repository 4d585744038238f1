import { expect, it } from "vitest";
import { openBus } from "./bus.ts";
import { openTestLog } from "./testing/test-log.ts";

type Messages = { readonly moved: { readonly version: number }; readonly left: string };

it("calls every subscriber of a topic in order until it unsubscribes", () => {
  const bus = openBus<Messages>(openTestLog());
  const received: string[] = [];
  const unsubscribe = bus.subscribe("moved", ({ version }) => received.push(`first ${version}`));
  bus.subscribe("moved", ({ version }) => received.push(`second ${version}`));
  bus.subscribe("left", (who) => received.push(who));
  bus.publish("moved", { version: 1 });
  unsubscribe();
  unsubscribe();
  bus.publish("moved", { version: 2 });
  bus.publish("left", "ada");
  expect(received).toEqual(["first 1", "second 1", "second 2", "ada"]);
});

it("isolates a failing subscriber from the others and the publisher", () => {
  const bus = openBus<Messages>(openTestLog());
  const received: string[] = [];
  bus.subscribe("left", () => {
    throw new Error("no");
  });
  bus.subscribe("left", (who) => received.push(who));
  bus.publish("left", "bola");
  expect(received).toEqual(["bola"]);
});
