/** Where a native app runs. The specification's "APK" is `android`. */
export const RELEASE_PLATFORMS = ["windows", "android"] as const;
export type ReleasePlatform = (typeof RELEASE_PLATFORMS)[number];

/** For example 1.2.3. */
export const RELEASE_VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,4}$/;
/** Where neither the admin nor the file names a version (the specification's default). */
export const RELEASE_VERSION_DEFAULT = "1.0.0";
export const RELEASE_BYTES_MAX = 200 * 1024 * 1024;

/**
 * POST here with `?platform=windows&version=1.2.3` and the file as body, of type
 * application/octet-stream and with its length. Without a version, the file's own or the default is
 * used. Answers with a `ReleaseView`. The release is offered once an admin makes it current. The
 * same file again changes nothing.
 */
export const RELEASE_UPLOAD_PATH = "/api/admin/releases";
