import type { GameId } from "@holo/kernel/ids.ts";
import type { LogView } from "@holo/protocol/game/games.ts";
import type { LogRecord } from "@holo/table/log-record.ts";

export type LogCheck =
  /** All hashes match, the last one is the settled one, and the rows match the page's records. */
  | { readonly type: "sound"; readonly count: number }
  /** A hash is wrong, or the chain has a wrong start or end. */
  | { readonly type: "broken"; readonly version: number }
  /** The row differs from the page's record. */
  | { readonly type: "different"; readonly version: number };

/** SHA-256 of the UTF-8 text, in hex. */
type Hash = (text: string) => Promise<string>;

/**
 * Verifies the hash chain of a finished game and compares its rows with the records that this page
 * folded.
 */
export async function checkLog(
  gameId: GameId,
  log: LogView,
  shown: readonly LogRecord[],
  hash: Hash,
): Promise<LogCheck> {
  if (log.before !== gameId) return { type: "broken", version: 0 };
  let before = log.before;
  let endedIn = "";
  for (const [index, row] of log.rows.entries()) {
    const version = index + 1;
    if ((await hash(`${before}\n${row.text}`)) !== row.hash) return { type: "broken", version };
    const record = JSON.parse(row.text) as LogRecord;
    if (record.version !== version) return { type: "broken", version };
    const other = shown[index];
    if (other !== undefined && toPublicText(record) !== toPublicText(other)) return { type: "different", version };
    if (isEnd(record)) endedIn = row.hash;
    before = row.hash;
  }
  // The settlement hash is of the row that ended the game; rematch offers may follow it.
  if (endedIn !== log.finalHash) return { type: "broken", version: log.rows.length };
  return { type: "sound", count: log.rows.length };
}

/** Null without Web Crypto, as on insecure origins. */
export function findHash(): Hash | null {
  const { subtle } = crypto;
  if (subtle === undefined) return null;
  return async (text) => {
    const digest = await subtle.digest("SHA-256", new TextEncoder().encode(text));
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };
}

function toPublicText({ version, at, by, events }: LogRecord): string {
  return JSON.stringify({ version, at, by, events });
}

function isEnd({ events }: LogRecord): boolean {
  return events.some(({ type }) => type === "ended" || type === "cancelled");
}
