import { expect, it } from "vitest";
import { parseFaults } from "./faults/faults.ts";
import { readOptions } from "./options.ts";

it.each([
  [["--sed", "7"], "Unknown option '--sed'"],
  [["--seeds", "a-b"], "--seeds must be a seed or two, as 1-20"],
  [["--seeds", "9-2"], "--seeds must be a seed or two, as 1-20"],
])("refuses %s instead of a run of nothing", (words, reason) => {
  expect(() => readOptions(words)).toThrow(reason);
});

it.each([
  ["kil", 'there is no fault "kil"'],
  ["kill,killed NATS", '"killed NATS" needs several servers'],
  ["kill+frozen provider", '"frozen provider" needs players who pay'],
])("refuses the faults %s, which would count as survived", (faults, reason) => {
  expect(() => parseFaults(faults, { servers: 1, payers: 0 })).toThrow(reason);
});
