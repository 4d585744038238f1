import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { AuditEventType } from "@holo/protocol/admin/staff.ts";
import type { ReleasePlatform } from "@holo/protocol/release-terms.ts";
import { RELEASE_VERSION } from "@holo/protocol/release-terms.ts";
import type { ReleaseView } from "@holo/protocol/releases.ts";
import type { Queries, Tx } from "../platform/database/database.ts";

export interface Release {
  readonly id: string;
  readonly platform: ReleasePlatform;
  readonly version: string;
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
  readonly uploadedBy: PlayerId;
  readonly uploadedAt: Instant;
  readonly isCurrent: boolean;
}

export type IsAdmin = (queries: Queries, playerId: PlayerId) => Promise<boolean>;

/** Records an audit event in the transaction of the action; returns its id. */
export type RecordReleaseEvent = (
  tx: Tx,
  event: {
    readonly playerId: PlayerId;
    readonly action: Extract<AuditEventType, "release_added" | "release_made_current">;
    readonly subject: string;
    readonly detail: string;
    readonly at: Instant;
  },
) => Promise<bigint>;

const ENDINGS: Readonly<Record<ReleasePlatform, string>> = { windows: "exe", android: "apk" };
const FILE_NAME = /^holo-arena-(?<version>\d{1,4}\.\d{1,4}\.\d{1,4})\.(?<ending>exe|apk)$/;

export const RELEASES_FOLDER = "releases";

/** Generated; the uploaded file's name is ignored. */
export function toFileName({ platform, version }: Pick<Release, "platform" | "version">): string {
  return `holo-arena-${version}.${ENDINGS[platform]}`;
}

export function isFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

/** Unique per upload, so that concurrent uploads never share a file. */
export function toFileKey(id: string): string {
  return `${RELEASES_FOLDER}/${id}`;
}

export function isVersion(text: string): boolean {
  return RELEASE_VERSION.test(text);
}

export function toReleaseView(release: Release): ReleaseView {
  const { id, platform, version, sizeBytes, sha256, uploadedAt, isCurrent } = release;
  const fileName = toFileName(release);
  return { id, platform, version, fileName, sizeBytes, sha256, url: `/downloads/${fileName}`, uploadedAt, isCurrent };
}
