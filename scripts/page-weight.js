/** Measures what a browser downloads to play, from the build's manifest. */
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/**
 * @typedef {object} Chunk one file of Vite's manifest
 * @property {string} file
 * @property {boolean} [isEntry]
 * @property {readonly string[]} [imports]
 * @property {readonly string[]} [dynamicImports]
 * @property {readonly string[]} [css]
 *
 * @typedef {{ readonly file: string, readonly bytes: number }} SentFile
 *
 * @typedef {object} PageWeight bytes as sent, brotli-compressed
 * @property {number} shellBytes the entry and its static imports, which every page needs
 * @property {number} gameBytes everything else that a table of either game can fetch
 * @property {readonly SentFile[]} gameChunks largest first
 * @property {number} practiceBytes script, style and HTML until a visitor can play practice at home
 * @property {readonly SentFile[]} practiceChunks largest first
 */

/** Below `dist`, where `vite build --manifest` puts it. */
export const MANIFEST = ".vite/manifest.json";
/** Compressed JavaScript of the game route beyond the shell. */
export const GAME_BYTES_MAX = 66_700;

/** Compressed script, style and HTML until a visitor can play practice; fonts load later. */
export const PRACTICE_BYTES_MAX = 114_500;

/** As a visitor gets it at home. */
const PAGE_FILE = "pages/home.html";
/** The home page and the modules that practice-section.tsx loads. */
const PRACTICE_MODULES = [
  "src/features/home/home-page.tsx",
  "src/features/home/practice/practice.tsx",
  "src/lib/sound/sound-synth.ts",
];
/** Scripts that the HTML names outside the module graph. */
const EARLY_SCRIPT = /<script src="\/(assets\/[^"]+\.js)">/g;
const GAME_PAGE = "src/features/table/game-page.tsx";
const PAGE = /^src\/features\/.*-page\.tsx$/;
/** Fetched after a choice that few make, or by a watcher after the end of a game. */
const ON_CHOICE =
  /^src\/(?:features\/table\/(?:board\/typed|watching)\/|shared\/board\/(?:settings\/|piece-sets\/(?!chess-classic)))/;

/**
 * The game route includes every chunk that the game page and the shell can load, such as both rules
 * and all dialogs, but no other pages and nothing on choice. Throws if a module is missing.
 * @param {string} dist the folder of the build
 * @returns {PageWeight}
 */
export function weighPage(dist) {
  /** @type {Readonly<Record<string, Chunk>>} */
  const manifest = JSON.parse(readFileSync(path.join(dist, MANIFEST), "utf8"));
  const entries = Object.keys(manifest).filter((name) => manifest[name]?.isEntry);
  if (entries.length === 0) throw new Error("The manifest of the build names no entry.");
  for (const part of [GAME_PAGE, ...PRACTICE_MODULES]) {
    if (!(part in manifest)) throw new Error(`The manifest of the build does not name ${part}.`);
  }

  /**
   * The chunks reachable from `names`.
   * @param {readonly string[]} names
   * @param {(chunk: Chunk) => readonly string[]} toNext
   */
  function follow(names, toNext) {
    const reached = new Set(names);
    for (const name of reached) for (const next of toNext(toChunk(name))) reached.add(next);
    return [...reached].map(toChunk);
  }

  /** @param {readonly Chunk[]} chunks */
  function listScripts(chunks) {
    return new Set(chunks.map(({ file }) => file).filter((file) => file.endsWith(".js")));
  }

  /** @param {Iterable<string>} files */
  function weigh(files) {
    return [...files]
      .map((file) => ({ file, bytes: readSentBytes(path.join(dist, file)) }))
      .sort((a, b) => b.bytes - a.bytes);
  }

  /** @param {string} name */
  function toChunk(name) {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`The manifest of the build does not name ${name}.`);
    return chunk;
  }

  /** @param {Chunk} chunk */
  const toImports = ({ imports = [] }) => imports;
  const shell = listScripts(follow(entries, toImports));
  const atTable = listScripts(
    follow([...entries, GAME_PAGE], ({ imports = [], dynamicImports = [] }) => [
      ...imports,
      ...dynamicImports.filter((name) => name === GAME_PAGE || !(PAGE.test(name) || ON_CHOICE.test(name))),
    ]),
  );
  const practice = follow([...entries, ...PRACTICE_MODULES], toImports);
  const styles = practice.flatMap(({ css = [] }) => css);
  const early = [...readFileSync(path.join(dist, PAGE_FILE), "utf8").matchAll(EARLY_SCRIPT)].map(
    ([, file = ""]) => file,
  );
  const gameChunks = weigh([...atTable].filter((file) => !shell.has(file)));
  const practiceChunks = weigh(new Set([PAGE_FILE, ...early, ...listScripts(practice), ...styles]));
  return {
    shellBytes: sumBytes(weigh(shell)),
    gameBytes: sumBytes(gameChunks),
    gameChunks,
    practiceBytes: sumBytes(practiceChunks),
    practiceChunks,
  };
}

/** @param {readonly SentFile[]} files */
function sumBytes(files) {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Small files have no compressed copy.
 * @param {string} file
 */
function readSentBytes(file) {
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}

/**
 * Whether the page is within both limits.
 * @param {PageWeight} weight
 */
export function isLight({ gameBytes, practiceBytes }) {
  return gameBytes < GAME_BYTES_MAX && practiceBytes <= PRACTICE_BYTES_MAX;
}

/**
 * One line per figure, with the largest chunks below a figure that exceeds its limit.
 * @param {PageWeight} weight
 */
export function formatWeight({ shellBytes, gameBytes, gameChunks, practiceBytes, practiceChunks }) {
  const game = `the game route ${formatBytes(gameBytes)} of JavaScript beyond the shell's ${formatBytes(shellBytes)}`;
  const practice = `practice ${formatBytes(practiceBytes)} of script, style and HTML from the first byte`;
  return [
    formatFigure(
      practice,
      practiceBytes <= PRACTICE_BYTES_MAX,
      `at most ${formatBytes(PRACTICE_BYTES_MAX)}`,
      practiceChunks,
    ),
    formatFigure(game, gameBytes < GAME_BYTES_MAX, `under ${formatBytes(GAME_BYTES_MAX)}`, gameChunks),
  ].join("\n");
}

/**
 * @param {string} figure
 * @param {boolean} isMet
 * @param {string} limit
 * @param {readonly SentFile[]} chunks
 */
function formatFigure(figure, isMet, limit, chunks) {
  if (isMet) return `Compressed: ${figure} (${limit}).`;
  const largest = chunks.slice(0, 5).map(({ file, bytes }) => `${path.basename(file)} ${formatBytes(bytes)}`);
  return `Compressed: ${figure}: it must stay ${limit}.\nIts largest chunks: ${largest.join(", ")}.`;
}

/** @param {number} bytes */
function formatBytes(bytes) {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
