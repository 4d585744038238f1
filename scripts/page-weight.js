/** What a player's browser has to fetch to play, weighed from the build's own manifest. */
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/**
 * @typedef {object} Chunk what Vite's manifest says of one file
 * @property {string} file
 * @property {boolean} [isEntry]
 * @property {readonly string[]} [imports]
 * @property {readonly string[]} [dynamicImports]
 *
 * @typedef {object} PageWeight in bytes as they are sent, brotli-compressed
 * @property {number} shellBytes the page's entry with all it imports at once, which every page needs
 * @property {number} gameBytes whatever else may be fetched at a table, of either game
 * @property {readonly { readonly file: string, readonly bytes: number }[]} gameParts heaviest first
 */

/** Below `dist`, where `vite build --manifest` puts it. */
export const MANIFEST = ".vite/manifest.json";
/** JavaScript of the game route beyond the shell, compressed. */
export const GAME_BYTES_MAX = 60_000;

const GAME_PAGE = "src/features/table/game-page.tsx";
const PAGE = /^src\/features\/.*-page\.tsx$/;

/**
 * Weighs the JavaScript of a build. To the game route belongs all that the game's page and the shell around it lead to, loaded at once or
 * when it is needed: both games' rules, the pieces, sounds, every dialog. Only the other pages and what they alone lead to are left out.
 * Throws where the manifest knows no entry or no game page, for then it would weigh nothing.
 * @param {string} dist the folder of the build
 * @returns {PageWeight}
 */
export function weighPage(dist) {
  /** @type {Readonly<Record<string, Chunk>>} */
  const manifest = JSON.parse(readFileSync(path.join(dist, MANIFEST), "utf8"));
  const entries = Object.keys(manifest).filter((name) => manifest[name]?.isEntry);
  if (entries.length === 0) throw new Error("The manifest of the build names no entry.");
  if (!(GAME_PAGE in manifest)) throw new Error(`The manifest of the build does not name ${GAME_PAGE}.`);

  /**
   * The files that `names` lead to.
   * @param {readonly string[]} names
   * @param {(chunk: Chunk) => readonly string[]} toNext
   */
  function follow(names, toNext) {
    const reached = new Set(names);
    for (const name of reached) for (const next of toNext(toChunk(name))) reached.add(next);
    return new Set([...reached].map((name) => toChunk(name).file).filter((file) => file.endsWith(".js")));
  }

  /** @param {string} name */
  function toChunk(name) {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`The manifest of the build does not name ${name}.`);
    return chunk;
  }

  const shell = follow(entries, ({ imports = [] }) => imports);
  const atTable = follow([...entries, GAME_PAGE], ({ imports = [], dynamicImports = [] }) => [
    ...imports,
    ...dynamicImports.filter((name) => name === GAME_PAGE || !PAGE.test(name)),
  ]);
  const gameParts = [...atTable]
    .filter((file) => !shell.has(file))
    .map((file) => ({ file, bytes: readSentBytes(path.join(dist, file)) }))
    .sort((a, b) => b.bytes - a.bytes);
  return {
    shellBytes: [...shell].reduce((sum, file) => sum + readSentBytes(path.join(dist, file)), 0),
    gameBytes: gameParts.reduce((sum, { bytes }) => sum + bytes, 0),
    gameParts,
  };
}

/**
 * Files too small to be worth it are sent as they are.
 * @param {string} file
 */
function readSentBytes(file) {
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}

/**
 * The figures in a line; where the game route is too heavy, another with its heaviest parts.
 * @param {PageWeight} weight
 */
export function formatWeight({ shellBytes, gameBytes, gameParts }) {
  const figures = `JavaScript, compressed: the game route ${formatBytes(gameBytes)} beyond the shell's ${formatBytes(shellBytes)}`;
  if (gameBytes < GAME_BYTES_MAX) return `${figures} (under ${formatBytes(GAME_BYTES_MAX)}).`;
  const heaviest = gameParts.slice(0, 5).map(({ file, bytes }) => `${path.basename(file)} ${formatBytes(bytes)}`);
  return `${figures}: it must stay under ${formatBytes(GAME_BYTES_MAX)}.\nIts heaviest parts: ${heaviest.join(", ")}.`;
}

/** @param {number} bytes */
function formatBytes(bytes) {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
