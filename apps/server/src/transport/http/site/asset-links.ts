import type { Hono } from "hono";

/** As apps/android names itself in its manifest. */
const ANDROID_APP = "arena.holo.app";

/**
 * What a phone asks before it lets our app open links to tables: which app is ours, by the certificates it may be signed with, each as
 * Android writes its SHA-256. Without any, nothing is ours. https://developer.android.com/training/app-links
 */
export function mountAssetLinks(app: Pick<Hono, "get">, certificates: readonly string[]): void {
  if (certificates.length === 0) return;
  const statements = [
    {
      relation: ["delegate_permission/common.handle_all_urls"],
      target: { namespace: "android_app", package_name: ANDROID_APP, sha256_cert_fingerprints: certificates },
    },
  ];
  app.get("/.well-known/assetlinks.json", (context) => context.json(statements));
}
