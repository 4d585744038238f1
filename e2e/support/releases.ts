import type { Locator, Page } from "@playwright/test";
import { makeProgram } from "../../apps/server/src/releases/testing/test-builds.ts";
import { expect, type Person } from "./fixtures.ts";

export interface Build {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export const BINARY = "application/octet-stream";
const AGENT = "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";
export const OLD_WINDOWS = { userAgent: `${AGENT} HoloNative/1.2.3 (windows)` };
export const OLD_ANDROID = { userAgent: `${AGENT} HoloNative/1.0.0 (android)`, viewport: { width: 390, height: 844 } };

export function toProgram(version: string | null, name = "holo-arena-setup.exe"): Build {
  return { name, mimeType: BINARY, buffer: makeProgram(version, Buffer.alloc(50_000, version ?? "none")) };
}

export async function openUpdates({ page }: Person): Promise<Locator> {
  await page.goto("/admin/revenue");
  const part = page.getByRole("region", { name: "App Updates" });
  await expect(part.getByRole("heading", { name: "Windows versions" })).toBeVisible();
  return part;
}

export async function choose(part: Locator, platform: "Windows .exe" | "Android .apk", build: Build): Promise<void> {
  const chooser = part.page().waitForEvent("filechooser");
  await part.getByRole("button", { name: `Upload ${platform}` }).click();
  await (await chooser).setFiles(build);
}

export async function upload(part: Locator, platform: "Windows .exe" | "Android .apk", build: Build): Promise<void> {
  await choose(part, platform, build);
  await part.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(part.getByRole("form", { name: "New version" })).toHaveCount(0);
}

export async function makeCurrent(part: Locator, version: string): Promise<void> {
  await part.getByRole("button", { name: `Make ${version} Current` }).click();
  const dialog = part.page().getByRole("dialog", { name: `Make ${version} Current?` });
  await dialog.getByRole("button", { name: "Make Current" }).click();
  await expect(dialog).toHaveCount(0);
}

export function findVersion(part: Locator, name: "Windows" | "Android", version: string): Locator {
  return part
    .getByRole("region", { name: `${name} versions` })
    .getByRole("listitem")
    .filter({ has: part.page().getByText(version, { exact: true }) });
}

export function findPrompt(page: Page): Locator {
  return page.getByRole("dialog", { name: "Update Available" });
}
