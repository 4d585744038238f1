import type { CommandId } from "@holo/kernel/ids.ts";
import { expect, test } from "vitest";
import { type AnsweredCommand, AnsweredCommands } from "./answered-commands.ts";

function answered(id: string, version: number): AnsweredCommand {
  return { id: id as CommandId, by: 1, content: `move ${version}`, version };
}

test("finds a command in every later value and in no earlier one", () => {
  const none = AnsweredCommands.none();
  const one = none.add(answered("first-id", 3));
  const two = one.add(answered("second-id", 4));
  expect(two.find("first-id" as CommandId)?.version).toBe(3);
  expect(two.find("second-id" as CommandId)?.version).toBe(4);
  expect(one.find("second-id" as CommandId)).toBeNull();
  expect(none.find("first-id" as CommandId)).toBeNull();
});

test("keeps two values derived from the same one apart", () => {
  const shared = AnsweredCommands.none().add(answered("first-id", 3));
  const left = shared.add(answered("left-one", 4)).add(answered("left-two", 5));
  const right = shared.add(answered("right-one", 4));
  expect(right.find("left-one" as CommandId)).toBeNull();
  expect(right.find("left-two" as CommandId)).toBeNull();
  expect(left.find("right-one" as CommandId)).toBeNull();
  expect(right.find("first-id" as CommandId)?.version).toBe(3);
  expect(left.find("left-two" as CommandId)?.version).toBe(5);
  expect(right.add(answered("left-two", 5)).find("left-two" as CommandId)?.version).toBe(5);
});
