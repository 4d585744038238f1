import { ANDROID_APP_ID } from "@holo/protocol/release-terms.ts";
import type { HttpApp } from "../routes.ts";

/**
 * The statement that lets our Android app open links to tables, with the SHA-256 of its
 * certificates. https://developer.android.com/training/app-links
 */
export function mountAssetLinks(app: HttpApp, certificates: readonly string[]): void {
  if (certificates.length === 0) return;
  const statements = [
    {
      relation: ["delegate_permission/common.handle_all_urls"],
      target: { namespace: "android_app", package_name: ANDROID_APP_ID, sha256_cert_fingerprints: certificates },
    },
  ];
  app.get("/.well-known/assetlinks.json", (context) => context.json(statements));
}
