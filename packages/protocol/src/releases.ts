import { z } from "zod";
import { instant, whole } from "./fields.ts";
import { RELEASE_PLATFORMS, RELEASE_UPLOAD_PATH, RELEASE_VERSION } from "./release-terms.ts";
import type { FileRoute, Route, View } from "./route.ts";

const release = z.strictObject({
  id: z.uuid(),
  platform: z.enum(RELEASE_PLATFORMS),
  version: z.string().regex(RELEASE_VERSION),
  fileName: z.string(),
  sizeBytes: whole,
  /** Hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** A path on the arena's own origin. */
  url: z.string(),
  uploadedAt: instant,
  /** Whether this is the current release of its platform (ruling 28). */
  isCurrent: z.boolean(),
});
export type ReleaseView = View<typeof release>;

const releases = z.strictObject({ releases: z.array(release) });
export type ReleasesView = View<typeof releases>;

export const RELEASE_ROUTES = {
  releases: { method: "get", path: "/api/releases", access: "anyone", refusals: [], response: releases },
  /** Every stored release, newest first. */
  adminReleases: { method: "get", path: "/api/admin/releases", access: "admin", refusals: [], response: releases },
  makeReleaseCurrent: {
    method: "post",
    path: "/api/admin/releases/current",
    access: "admin",
    refusals: ["unknown_release", "foreign_release", "current_release_changed"],
    body: z.strictObject({
      id: z.uuid(),
      /** The current release as the admin saw it; null: none. */
      insteadOf: z.uuid().nullable(),
    }),
    response: release,
  },
} as const satisfies Record<string, Route>;

export const RELEASE_FILE_ROUTES = {
  uploadRelease: {
    method: "post",
    path: RELEASE_UPLOAD_PATH,
    access: "admin",
    refusals: [
      "release_length_missing",
      "bad_version",
      "release_too_large",
      "uploads_busy",
      "upload_cut_off",
      "upload_stalled",
      "storage_full",
      "not_a_windows_program",
      "not_an_android_app",
      "other_app",
      "unsigned_app",
      "other_certificate",
      "other_version",
      "version_taken",
    ],
  },
  downloadRelease: { method: "get", path: "/downloads/{fileName}", access: "anyone", refusals: [] },
} as const satisfies Record<string, FileRoute>;

/** The query of an upload. The releases module checks the version. */
export const releaseUploadQuery = z.strictObject({
  platform: z.enum(RELEASE_PLATFORMS),
  version: z.string().max(40).optional(),
});
