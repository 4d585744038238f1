/** What a player's browser has to fetch to play, weighed from the build's own manifest. */
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/**
 * @typedef {object} Chunk what Vite's manifest says of one file
 * @property {string} file
 * @property {boolean} [isEntry]
 * @property {readonly string[]} [imports]
 * @property {readonly string[]} [dynamicImports]
 * @property {readonly string[]} [css]
 *
 * @typedef {object} PageWeight in bytes as they are sent, brotli-compressed
 * @property {number} shellBytes the page's entry with all it imports at once, which every page needs
 * @property {number} gameBytes whatever else may be fetched at a table, of either game
 * @property {readonly { readonly file: string, readonly bytes: number }[]} gameParts heaviest first
 * @property {number} practiceBytes script, style and HTML until a visitor can play practice at home
 * @property {readonly { readonly file: string, readonly bytes: number }[]} practiceParts heaviest first
 */

/** Below `dist`, where `vite build --manifest` puts it. */
export const MANIFEST = ".vite/manifest.json";
/** JavaScript of the game route beyond the shell, compressed. */
export const GAME_BYTES_MAX = 60_000;

/** Script, style and HTML until a visitor can play practice, compressed; fonts come after it. */
export const PRACTICE_BYTES_MAX = 110_000;

const PAGE_FILE = "index.html";
/** The home page, and what practice is made of, as ready-to-play.tsx asks for it. */
const PRACTICE_MODULES = [
  "src/features/home/home-page.tsx",
  "src/features/home/practice/practice.tsx",
  "src/lib/sound/sound-synth.ts",
];
/** Named by the page, and no part of its modules. */
const EARLY_SCRIPT = /<script src="\/(assets\/[^"]+\.js)">/g;
const GAME_PAGE = "src/features/table/game-page.tsx";
const PAGE = /^src\/features\/.*-page\.tsx$/;

/**
 * Weighs a build. Practice is weighed with its styles and the page itself, the rest by its JavaScript. To the game route belongs all that the game's page and the shell around it lead to, loaded at once or
 * when it is needed: both games' rules, the pieces, sounds, every dialog. Only the other pages and what they alone lead to are left out.
 * Throws where the manifest does not know what is to be weighed, for then it would weigh nothing.
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
   * The files that `names` lead to.
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
      ...dynamicImports.filter((name) => name === GAME_PAGE || !PAGE.test(name)),
    ]),
  );
  const practice = follow([...entries, ...PRACTICE_MODULES], toImports);
  const styles = practice.flatMap(({ css = [] }) => css);
  const early = [...readFileSync(path.join(dist, PAGE_FILE), "utf8").matchAll(EARLY_SCRIPT)].map(
    ([, file = ""]) => file,
  );
  const gameParts = weigh([...atTable].filter((file) => !shell.has(file)));
  const practiceParts = weigh(new Set([PAGE_FILE, ...early, ...listScripts(practice), ...styles]));
  return {
    shellBytes: sumBytes(weigh(shell)),
    gameBytes: sumBytes(gameParts),
    gameParts,
    practiceBytes: sumBytes(practiceParts),
    practiceParts,
  };
}

/** @param {readonly { readonly bytes: number }[]} parts */
function sumBytes(parts) {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Files too small to be worth it are sent as they are.
 * @param {string} file
 */
function readSentBytes(file) {
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}

/**
 * Whether a phone in the country can be asked to fetch it.
 * @param {PageWeight} weight
 */
export function isLight({ gameBytes, practiceBytes }) {
  return gameBytes < GAME_BYTES_MAX && practiceBytes <= PRACTICE_BYTES_MAX;
}

/**
 * The figures in a line each; under one that is too heavy its heaviest parts.
 * @param {PageWeight} weight
 */
export function formatWeight({ shellBytes, gameBytes, gameParts, practiceBytes, practiceParts }) {
  const game = `the game route ${formatBytes(gameBytes)} of JavaScript beyond the shell's ${formatBytes(shellBytes)}`;
  const practice = `practice ${formatBytes(practiceBytes)} of script, style and HTML from the first byte`;
  return [
    formatFigure(
      practice,
      practiceBytes <= PRACTICE_BYTES_MAX,
      `at most ${formatBytes(PRACTICE_BYTES_MAX)}`,
      practiceParts,
    ),
    formatFigure(game, gameBytes < GAME_BYTES_MAX, `under ${formatBytes(GAME_BYTES_MAX)}`, gameParts),
  ].join("\n");
}

/**
 * @param {string} figure
 * @param {boolean} isMet
 * @param {string} limit
 * @param {PageWeight["gameParts"]} parts
 */
function formatFigure(figure, isMet, limit, parts) {
  if (isMet) return `Compressed: ${figure} (${limit}).`;
  const heaviest = parts.slice(0, 5).map(({ file, bytes }) => `${path.basename(file)} ${formatBytes(bytes)}`);
  return `Compressed: ${figure}: it must stay ${limit}.\nIts heaviest parts: ${heaviest.join(", ")}.`;
}

/** @param {number} bytes */
function formatBytes(bytes) {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
