import { expect, test } from "vitest";
import { toFailureText } from "./failure.ts";

test.each([
  ["its message", new Error("no space"), "no space"],
  [
    "its causes",
    new Error("could not migrate 820-x", { cause: new TypeError("no column", { cause: "y" }) }),
    "could not migrate 820-x: no column: y",
  ],
  [
    "each refused address",
    new AggregateError([new Error("::1 refused"), new Error("127.0.0.1 refused")]),
    "::1 refused; 127.0.0.1 refused",
  ],
  ["a repeated message once", new Error("no space", { cause: new Error("no space") }), "no space"],
  ["its name without a message", new RangeError(""), "RangeError"],
  ["a thrown value", "stopped", "stopped"],
  [
    "no password",
    new Error("cannot use postgres://holo:a:se%40cret@db.example/holo"),
    "cannot use postgres://db.example/holo",
  ],
])("a failure names %s", (_, error, text) => {
  expect(toFailureText(error)).toBe(text);
});
