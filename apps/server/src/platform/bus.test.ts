import { expect, it } from "vitest";
import { openBus } from "./bus.ts";
import { openTestLog } from "./testing/test-log.ts";

type Messages = { readonly moved: { readonly version: number }; readonly left: string };

it("calls every subscriber of a topic in order until it unsubscribes", () => {
  const bus = openBus<Messages>(openTestLog());
  const heard: string[] = [];
  const leave = bus.subscribe("moved", ({ version }) => heard.push(`first ${version}`));
  bus.subscribe("moved", ({ version }) => heard.push(`second ${version}`));
  bus.subscribe("left", (who) => heard.push(who));
  bus.publish("moved", { version: 1 });
  leave();
  leave();
  bus.publish("moved", { version: 2 });
  bus.publish("left", "ada");
  expect(heard).toEqual(["first 1", "second 1", "second 2", "ada"]);
});

it("isolates a failing subscriber from the others and the publisher", () => {
  const bus = openBus<Messages>(openTestLog());
  const heard: string[] = [];
  bus.subscribe("left", () => {
    throw new Error("no");
  });
  bus.subscribe("left", (who) => heard.push(who));
  bus.publish("left", "bola");
  expect(heard).toEqual(["bola"]);
});
