import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { formatWeight, GAME_BYTES_MAX, isLight, MANIFEST, PRACTICE_BYTES_MAX, weighPage } from "./page-weight.js";

interface Chunk {
  readonly file: string;
  readonly isEntry?: true;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}

const GAME_PAGE = "src/features/table/game-page.tsx";
const PRACTICE = "src/features/home/practice/practice.tsx";
const ON_CHOICE = "src/features/table/board/typed/move-field.tsx";
const HOME_PAGE = "src/features/home/home-page.tsx";

/** Each file has a different power of two as its size, so a sum identifies its files. */
const SIZES = {
  "index.js": 1,
  "react.js": 2,
  "menu.js": 4,
  "home.js": 8,
  "game.js": 16,
  "checkers.js": 32,
  "chess.js": 64,
  "sounds.js": 128,
  "recent.js": 256,
  "practice.js": 512,
  "synth.js": 1024,
  "theme.js": 2048,
  "shell.css": 4096,
  "home.css": 8192,
  "recent.css": 16384,
  "typed.js": 32768,
};
const PAGE = '<script src="/assets/theme.js"></script><script type="module" src="/assets/index.js"></script>';

const CHUNKS: Readonly<Record<string, Chunk>> = {
  "index.html": {
    file: "assets/index.js",
    isEntry: true,
    imports: ["_react.js"],
    css: ["assets/shell.css"],
    dynamicImports: [HOME_PAGE, GAME_PAGE, "src/app/menu.tsx"],
  },
  "_react.js": { file: "assets/react.js" },
  "src/app/menu.tsx": { file: "assets/menu.js", imports: ["index.html"] },
  [HOME_PAGE]: {
    file: "assets/home.js",
    imports: ["index.html", "_checkers.js"],
    dynamicImports: ["src/features/home/recent.tsx", PRACTICE, "src/lib/sound/sound-synth.ts"],
    css: ["assets/home.css"],
  },
  "src/features/home/recent.tsx": { file: "assets/recent.js", css: ["assets/recent.css"] },
  [PRACTICE]: { file: "assets/practice.js", imports: [HOME_PAGE, "_checkers.js"], css: ["assets/home.css"] },
  "src/lib/sound/sound-synth.ts": { file: "assets/synth.js" },
  [GAME_PAGE]: {
    file: "assets/game.js",
    imports: ["index.html", "_checkers.js"],
    dynamicImports: ["src/lib/chess.ts", "src/font.woff2", ON_CHOICE],
  },
  [ON_CHOICE]: { file: "assets/typed.js" },
  "_checkers.js": { file: "assets/checkers.js", imports: ["_react.js"] },
  "src/lib/chess.ts": { file: "assets/chess.js", imports: [GAME_PAGE], dynamicImports: ["src/lib/sounds.ts"] },
  "src/lib/sounds.ts": { file: "assets/sounds.js" },
  "src/font.woff2": { file: "assets/font.woff2" },
};

let dist = "";

function write(file: string, content: string): void {
  mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
  writeFileSync(path.join(dist, file), content);
}

function writeManifest(chunks: Readonly<Record<string, Chunk>>): void {
  write(MANIFEST, JSON.stringify(chunks));
}

beforeEach(() => {
  dist = mkdtempSync(path.join(tmpdir(), "holo-weight-"));
  for (const [file, size] of Object.entries(SIZES)) write(`assets/${file}`, "x".repeat(size));
  write("pages/home.html", PAGE);
  writeManifest(CHUNKS);
});

afterEach(() => rmSync(dist, { recursive: true }));

describe("the weight of practice", () => {
  it("counts the HTML, scripts and styles of home and practice once each", () => {
    const { practiceBytes, practiceChunks } = weighPage(dist);
    const parts = [8192, 4096, 2048, 1024, 512, 32, 8, 2, 1];
    expect(practiceChunks.filter(({ file }) => file !== "pages/home.html").map(({ bytes }) => bytes)).toEqual(parts);
    expect(practiceBytes).toBe(parts.reduce((sum, bytes) => sum + bytes, PAGE.length));
  });

  it("fails a build on its own, as does the weight of the game", () => {
    const weight = weighPage(dist);
    expect(isLight({ ...weight, practiceBytes: PRACTICE_BYTES_MAX, gameBytes: GAME_BYTES_MAX - 1 })).toBe(true);
    expect(isLight({ ...weight, practiceBytes: PRACTICE_BYTES_MAX + 1 })).toBe(false);
    expect(isLight({ ...weight, gameBytes: GAME_BYTES_MAX })).toBe(false);
  });
});

describe("the weight of the game route", () => {
  it("counts all chunks that game page and shell can load, without the shell and what few players choose", () => {
    const { shellBytes, gameBytes, gameChunks } = weighPage(dist);
    expect(shellBytes).toBe(1 + 2);
    expect(gameChunks.map(({ bytes }) => bytes)).toEqual([128, 64, 32, 16, 4]);
    expect(gameBytes).toBe(128 + 64 + 32 + 16 + 4);
  });

  it("counts the compressed file if there is one", () => {
    write("assets/sounds.js.br", "x".repeat(100));
    expect(weighPage(dist).gameBytes).toBe(100 + 64 + 32 + 16 + 4);
  });

  it("throws if the manifest lacks the entry, the game page or a chunk", () => {
    for (const [name, missing] of [
      ["index.html", "no entry"],
      [GAME_PAGE, GAME_PAGE],
      ["src/lib/sounds.ts", "src/lib/sounds.ts"],
    ] as const) {
      writeManifest(Object.fromEntries(Object.entries(CHUNKS).filter(([key]) => key !== name)));
      expect(() => weighPage(dist)).toThrow(missing);
    }
  });

  it("is printed with its limit, and with the largest chunks at the limit", () => {
    const part = { file: "assets/game.js", bytes: GAME_BYTES_MAX };
    const practice = { practiceBytes: 100_040, practiceChunks: [{ file: "assets/react.js", bytes: 60_000 }] };
    const game = { shellBytes: 75_040, gameBytes: GAME_BYTES_MAX - 100, gameChunks: [part] };
    expect(formatWeight({ ...game, ...practice })).toBe(
      "Compressed: practice 100.0 kB of script, style and HTML from the first byte (at most 114.5 kB).\n" +
        "Compressed: the game route 66.6 kB of JavaScript beyond the shell's 75.0 kB (under 66.7 kB).",
    );
    expect(formatWeight({ ...game, gameBytes: GAME_BYTES_MAX, ...practice, practiceBytes: 114_600 })).toBe(
      "Compressed: practice 114.6 kB of script, style and HTML from the first byte: it must stay at most 114.5 kB.\n" +
        "Its largest chunks: react.js 60.0 kB.\n" +
        "Compressed: the game route 66.7 kB of JavaScript beyond the shell's 75.0 kB: it must stay under 66.7 kB.\n" +
        "Its largest chunks: game.js 66.7 kB.",
    );
  });
});
