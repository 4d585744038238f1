import { z } from "zod";
import { RELEASE_PLATFORMS, RELEASE_VERSION } from "./releases.ts";

const release = z.strictObject({
  id: z.uuid(),
  platform: z.enum(RELEASE_PLATFORMS),
  version: z.string().regex(RELEASE_VERSION),
  fileName: z.string(),
  sizeBytes: z.int(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  url: z.string(),
  uploadedAt: z.int(),
  isCurrent: z.boolean(),
});
const releases = z.strictObject({ releases: z.array(release) });

/** The routes about the native apps; part of ROUTES (routes.ts). A new one is sent to RELEASE_UPLOAD_PATH, as a file. */
export const RELEASE_ROUTES = {
  /** The current release of each platform that has one. */
  releases: { method: "get", path: "/api/releases", response: releases },
  /** For admins: every release that is kept, newest first. */
  adminReleases: { method: "get", path: "/api/admin/releases", response: releases },
  /** For admins: makes another release the one that everybody is offered. */
  makeReleaseCurrent: {
    method: "post",
    path: "/api/admin/releases/current",
    body: z.strictObject({ id: z.uuid() }),
    response: release,
  },
} as const;

/** What an upload says of itself in its address; whether it may be a version is for the releases to say, with their own texts. */
export const releaseUploadQuery = z.strictObject({
  platform: z.enum(RELEASE_PLATFORMS),
  version: z.string().max(40).optional(),
});
