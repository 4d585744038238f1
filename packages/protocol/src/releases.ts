/** Where a native app runs. The specification's "APK" is `android`. */
export const RELEASE_PLATFORMS = ["windows", "android"] as const;
export type ReleasePlatform = (typeof RELEASE_PLATFORMS)[number];

/** Of a version, such as 1.2.3. */
export const RELEASE_VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,4}$/;
/** Whose version nobody names, and whose file does not either (the specification's default). */
export const RELEASE_VERSION_DEFAULT = "1.0.0";
/** More than this no file may have; a native host that shows the page has a few hundred kilobytes. */
export const RELEASE_BYTES_MAX = 200 * 1024 * 1024;

/**
 * Where a new release is sent by POST: `?platform=windows&version=1.2.3`, the file itself as the body, of type application/octet-stream
 * and with its length. For admins; answers with a `ReleaseView`, or a refusal like any route. The new release is the current one of its
 * platform. The same file again changes nothing. Left out, the version is the one that the file carries, or the default.
 */
export const RELEASE_UPLOAD_PATH = "/api/admin/releases";

/** A build of a native app. */
export interface ReleaseView {
  readonly id: string;
  readonly platform: ReleasePlatform;
  readonly version: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
  /** A path on our own origin. */
  readonly url: string;
  /** ms since 1970. */
  readonly uploadedAt: number;
  /** Whether it is the one of its platform that everybody is offered (ruling 28). */
  readonly isCurrent: boolean;
}

export interface ReleasesView {
  readonly releases: readonly ReleaseView[];
}
