import type { GameId } from "@holo/kernel/ids.ts";
import type { Entry } from "@holo/table/entry.ts";
import type { LogView } from "../../lib/api.ts";

export type LogCheck =
  /** Every hash is that of its row, the last one is the settled one, and the rows say what this page was shown. */
  | { readonly type: "sound"; readonly count: number }
  /** A hash is not that of its row, or the chain does not begin with the game or end in the settled hash. */
  | { readonly type: "broken"; readonly version: number }
  /** The row is not what this page was shown when it happened. */
  | { readonly type: "different"; readonly version: number };

/** SHA-256 of a text's UTF-8, hex. */
export type Hash = (text: string) => Promise<string>;

/** Follows the chain of a finished game's log row by row, and holds its rows against the entries this page has folded. */
export async function checkLog(gameId: GameId, log: LogView, shown: readonly Entry[], hash: Hash): Promise<LogCheck> {
  if (log.before !== gameId) return { type: "broken", version: 0 };
  let before = log.before;
  let endedIn = "";
  for (const [index, row] of log.rows.entries()) {
    const version = index + 1;
    if ((await hash(`${before}\n${row.text}`)) !== row.hash) return { type: "broken", version };
    const entry = JSON.parse(row.text) as Entry;
    if (entry.version !== version) return { type: "broken", version };
    const other = shown[index];
    if (other !== undefined && toPublicText(entry) !== toPublicText(other)) return { type: "different", version };
    if (isEnd(entry)) endedIn = row.hash;
    before = row.hash;
  }
  // the settlement was made with the row that ended the game; offers of a rematch may follow it
  if (endedIn !== log.finalHash) return { type: "broken", version: log.rows.length };
  return { type: "sound", count: log.rows.length };
}

/** By the browser's own cryptography; null where it offers none, as on pages without a secure connection. */
export function findHash(): Hash | null {
  const { subtle } = crypto;
  if (subtle === undefined) return null;
  return async (text) => {
    const digest = await subtle.digest("SHA-256", new TextEncoder().encode(text));
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };
}

function toPublicText({ version, at, by, events }: Entry): string {
  return JSON.stringify({ version, at, by, events });
}

function isEnd({ events }: Entry): boolean {
  return events.some(({ type }) => type === "ended" || type === "cancelled");
}
