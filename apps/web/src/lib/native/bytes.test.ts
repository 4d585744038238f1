import { expect, test } from "vitest";
import { formatBytes } from "./bytes.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1 kB"],
  [57_344, "57 kB"],
  [999_499, "999 kB"],
  [999_500, "1.0 MB"],
  [13_249_000, "13.2 MB"],
])("%i bytes are shown as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
