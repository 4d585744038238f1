import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const SRC = path.join(import.meta.dirname, "..");
/** From here on text is large, and keeps to a place of its own size: clocks, figures of money. */
const LARGE_PX = 26;
/** Drawn on discs and on the board's edge, which do not grow with text. */
const ON_PIECES = ["ui/board/board.css", "features/leaderboard/rank-disc.css"];

test("text follows the size that its reader has set in the browser, from the root on", () => {
  const files = globSync("**/*.css", { cwd: SRC }).filter((file) => !ON_PIECES.includes(file));
  expect(files.length).toBeGreaterThan(50);
  const fixed = files.flatMap((file) =>
    [...readFileSync(path.join(SRC, file), "utf8").matchAll(/font(?:-size)?:[^;]*?(?<![\w(.])(\d+)px/g)]
      .filter(([, px]) => Number(px) < LARGE_PX)
      .map(([declaration]) => `${file}: ${declaration}`),
  );
  expect(fixed).toEqual([]);
});
