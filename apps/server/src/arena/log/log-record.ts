import { hash } from "node:crypto";
import type { CommandId, GameId } from "@holo/kernel/ids.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { LogRecord } from "@holo/table/log-record.ts";

/** An entry encoded once: what is stored and hashed, and what each side is sent. */
export interface EncodedRecord {
  readonly version: number;
  readonly at: number;
  readonly by: Seat | 0;
  readonly commandId: CommandId | undefined;
  /** What everyone may see: no command id and no figures of anyone's network. */
  readonly publicText: string;
  /** What is stored and hashed. */
  readonly text: string;
  /** SHA-256, hex, of the hash before and this text; the first entry follows the game's own id. */
  readonly hash: string;
}

export function encodeRecord(record: LogRecord, hashBefore: string): EncodedRecord {
  const { version, at, by, events, commandId, lagMs } = record;
  const publicText = JSON.stringify({ version, at, by, events });
  let text = publicText;
  if (commandId !== undefined) text = `${text.slice(0, -1)},"commandId":"${commandId}"}`;
  if (lagMs !== undefined) text = `${text.slice(0, -1)},"lagMs":${lagMs}}`;
  return { version, at, by, commandId, publicText, text, hash: toChainedHash(hashBefore, text) };
}

/** Reads what `writeEntry` stored; the text was ours and is trusted. */
export function parseRecord(text: string): LogRecord {
  return JSON.parse(text);
}

export function toChainedHash(hashBefore: string, text: string): string {
  return hash("sha256", `${hashBefore}\n${text}`, "hex");
}

/** What the first entry's hash follows. */
export function toFirstHash(gameId: GameId): string {
  return gameId;
}

/** The entry as one viewer gets it: their own command's id is the acknowledgement of it. */
export function formatForViewer(
  written: Pick<EncodedRecord, "by" | "commandId" | "publicText">,
  viewer: Seat | null,
): string {
  if (written.commandId === undefined || written.by !== viewer) return written.publicText;
  return `${written.publicText.slice(0, -1)},"commandId":"${written.commandId}"}`;
}
