import { hash } from "node:crypto";
import type { CommandId, GameId } from "@holo/kernel/ids.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { LogRecord } from "@holo/table/log-record.ts";

export interface SendableRecord {
  readonly version: number;
  readonly by: Seat | 0;
  readonly commandId: CommandId | undefined;
  /** Without the command id and without network times. */
  readonly publicText: string;
}

/** A record encoded once: the same text is stored, hashed and sent. */
export interface EncodedRecord extends SendableRecord {
  readonly text: string;
  /** SHA-256, hex, of the previous hash and `text`. */
  readonly hash: string;
}

export function encodeRecord(record: LogRecord, hashBefore: string): EncodedRecord {
  const { version, at, by, events, commandId, lagMs } = record;
  const publicText = JSON.stringify({ version, at, by, events });
  let text = publicText;
  if (commandId !== undefined) text = `${text.slice(0, -1)},"commandId":"${commandId}"}`;
  if (lagMs !== undefined) text = `${text.slice(0, -1)},"lagMs":${lagMs}}`;
  return { version, by, commandId, publicText, text, hash: toChainedHash(hashBefore, text) };
}

/** Parses a text that `encodeRecord` stored. The text is trusted. */
export function parseRecord(text: string): LogRecord {
  return JSON.parse(text);
}

export function toSendable({ version, by, commandId, publicText }: EncodedRecord): SendableRecord {
  return { version, by, commandId, publicText };
}

export function toChainedHash(hashBefore: string, text: string): string {
  return hash("sha256", `${hashBefore}\n${text}`, "hex");
}

export function toFirstHash(gameId: GameId): string {
  return gameId;
}

/** The record as one viewer receives it: the id of their own command acknowledges it. */
export function formatForViewer(record: SendableRecord, viewer: Seat | null): string {
  if (record.commandId === undefined || record.by !== viewer) return record.publicText;
  return `${record.publicText.slice(0, -1)},"commandId":"${record.commandId}"}`;
}
