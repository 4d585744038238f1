import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { AdminAct } from "@holo/protocol/admin-views.ts";
import type { ReleasePlatform, ReleaseView } from "@holo/protocol/release-views.ts";
import { RELEASE_VERSION } from "@holo/protocol/release-views.ts";
import type { Queries, Tx } from "../platform/database.ts";

/** A build of a native app as it is kept. */
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

/** Whether somebody is an admin or the CEO at this moment. */
export type IsAdmin = (queries: Queries, playerId: PlayerId) => Promise<boolean>;

/** Writes down what was done, in its transaction; returns the id of the act. */
export type RecordReleaseAct = (
  tx: Tx,
  act: {
    readonly playerId: PlayerId;
    readonly act: Extract<AdminAct, "release_uploaded" | "release_made_current">;
    readonly subject: string;
    readonly detail: string;
    readonly at: Instant;
  },
) => Promise<bigint>;

const ENDINGS: Readonly<Record<ReleasePlatform, string>> = { windows: "exe", android: "apk" };
const FILE_NAME = /^holo-arena-(?<version>\d{1,4}\.\d{1,4}\.\d{1,4})\.(?<ending>exe|apk)$/;

/** In the folder of the file store that is the releases' own. */
export const RELEASES_FOLDER = "releases";

/** Of our own making: what the file was called where it came from is never asked. */
export function toFileName({ platform, version }: Pick<Release, "platform" | "version">): string {
  return `holo-arena-${version}.${ENDINGS[platform]}`;
}

export function isFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

/** Each upload has a key of its own, so that two at once never meet in one file. */
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
