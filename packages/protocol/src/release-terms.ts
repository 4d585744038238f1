/** Where a native app runs. */
export const RELEASE_PLATFORMS = ["windows", "android"] as const;
export type ReleasePlatform = (typeof RELEASE_PLATFORMS)[number];

/** The application id in the manifest of apps/android. */
export const ANDROID_APP_ID = "arena.holo.app";

export const RELEASE_VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,4}$/;
/** If neither the admin nor the file names a version (the specification's default). */
export const RELEASE_VERSION_DEFAULT = "1.0.0";
export const RELEASE_BYTES_MAX = 200 * 1024 * 1024;

/**
 * POST the file here as octet-stream with its length, and `?platform=windows&version=1.2.3`.
 * Answers with a `ReleaseView`; an admin then makes it current. A repeated file changes nothing.
 */
export const RELEASE_UPLOAD_PATH = "/api/admin/releases";
