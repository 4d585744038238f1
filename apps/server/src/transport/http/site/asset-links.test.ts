import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { HttpApp } from "../routes.ts";
import { mountAssetLinks } from "./asset-links.ts";

const PATH = "/.well-known/assetlinks.json";
const CERTIFICATE = Array.from({ length: 32 }, () => "AB").join(":");

async function ask(certificates: readonly string[]): Promise<Response> {
  const app: HttpApp = new Hono();
  mountAssetLinks(app, certificates);
  return await app.request(PATH);
}

describe("the links of the Android app", () => {
  it("are granted to the app with a configured certificate", async () => {
    const answer = await ask([CERTIFICATE]);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await answer.json()).toEqual([
      {
        relation: ["delegate_permission/common.handle_all_urls"],
        target: {
          namespace: "android_app",
          package_name: "arena.holo.app",
          sha256_cert_fingerprints: [CERTIFICATE],
        },
      },
    ]);
  });

  it("are granted to no app without a certificate", async () => {
    expect((await ask([])).status).toBe(404);
  });

  it("use the application id of its manifest", () => {
    const manifest = readFileSync(new URL("../../../../../android/AndroidManifest.xml", import.meta.url), "utf8");
    expect(manifest).toContain('package="arena.holo.app"');
  });
});
