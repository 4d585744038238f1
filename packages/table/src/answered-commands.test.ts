import { type CommandId, toCommandId } from "@holo/kernel/ids.ts";
import { expect, test } from "vitest";
import { type AnsweredCommand, AnsweredCommands } from "./answered-commands.ts";

function answered(id: string, version: number): AnsweredCommand {
  return { id: id as CommandId, by: 1, content: `move ${version}`, version };
}

test("finds a command in every later value and in no earlier one", () => {
  const none = AnsweredCommands.none();
  const one = none.add(answered("first-id", 3));
  const two = one.add(answered("second-id", 4));
  expect(two.find(toCommandId("first-id"))?.version).toBe(3);
  expect(two.find(toCommandId("second-id"))?.version).toBe(4);
  expect(one.find(toCommandId("second-id"))).toBeNull();
  expect(none.find(toCommandId("first-id"))).toBeNull();
});

test("keeps two values derived from the same one apart", () => {
  const shared = AnsweredCommands.none().add(answered("first-id", 3));
  const left = shared.add(answered("left-one", 4)).add(answered("left-two", 5));
  const right = shared.add(answered("right-one", 4));
  expect(right.find(toCommandId("left-one"))).toBeNull();
  expect(right.find(toCommandId("left-two"))).toBeNull();
  expect(left.find(toCommandId("right-one"))).toBeNull();
  expect(right.find(toCommandId("first-id"))?.version).toBe(3);
  expect(left.find(toCommandId("left-two"))?.version).toBe(5);
  expect(right.add(answered("left-two", 5)).find(toCommandId("left-two"))?.version).toBe(5);
});
