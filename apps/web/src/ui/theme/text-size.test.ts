import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const SRC = path.join(import.meta.dirname, "../..");
/** Large text with a fixed size: clocks, money. */
const LARGE_PX = 26;
/** On discs and the board's edge, which do not scale with text, or beside a small board. */
const LIMITED = ["shared/board/board.css", "features/leaderboard/standings.css", "features/table/table-toasts.css"];

test("sizes text relative to the browser's text size", () => {
  const files = globSync("**/*.css", { cwd: SRC }).filter((file) => !LIMITED.includes(file));
  expect(files.length).toBeGreaterThan(50);
  const fixed = files.flatMap((file) =>
    [...readFileSync(path.join(SRC, file), "utf8").matchAll(/font(?:-size)?:[^;]*?(?<![\w(.])(\d+)px/g)]
      .filter(([, px]) => Number(px) < LARGE_PX)
      .map(([declaration]) => `${file}: ${declaration}`),
  );
  expect(fixed).toEqual([]);
});
