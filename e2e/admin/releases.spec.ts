import { readFile } from "node:fs/promises";
import type { ReleasesView } from "@holo/protocol/releases.ts";
import type { Locator, Page } from "@playwright/test";
import { makeApp } from "../../apps/server/src/releases/testing/test-builds.ts";
import { expectAccessible, expectAccessibleAsShown } from "../support/axe.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import {
  BINARY,
  type Build,
  choose,
  findPrompt,
  findVersion,
  makeCurrent,
  OLD_ANDROID,
  OLD_WINDOWS,
  openUpdates,
  toProgram,
  upload,
} from "../support/releases.ts";
import { dismissToasts, findToast } from "../support/steps.ts";

// Uploads are offered to all players.
test.use({ ownServer: "platform" });
auditAfterwards();

async function expectDownload(page: Page, link: Locator, build: Build, name: RegExp): Promise<void> {
  const downloading = page.waitForEvent("download");
  await link.click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(name);
  expect(build.buffer.equals(await readFile(await download.path()))).toBe(true);
}

// [HEAD-08 §2 r28] On wide screens the header has a Downloads menu with the current version of each available
// platform.
// [HOME-10 §2 r28] In a browser, 'Download Desktop & Mobile Apps' has 'Download Windows EXE' and 'Download Android
// APK' for the files that exist.
test("a release made current is offered in the header, on the home page and in older apps [WHAT-10 HEAD-08 HOME-10]", async ({
  newOwner,
  newVisitor,
}) => {
  const [owner, visitor] = [await newOwner(), await newVisitor({ viewport: { width: 1440, height: 900 } })];
  const part = await openUpdates(owner);
  const [program, app] = [toProgram("1.3.0"), { name: "Holo.APK", mimeType: BINARY, buffer: makeApp("1.4.1") }];
  await upload(part, "Windows .exe", program);
  await expect(part.getByRole("status")).toHaveText("Windows 1.3.0 is uploaded. Nobody is offered it yet.");
  const row = findVersion(part, "Windows", "1.3.0");
  await expect(row.getByRole("button", { name: "Make current: Windows 1.3.0" })).toBeVisible();
  await expectAccessible(owner.page, "an uploaded version waits");
  await makeCurrent(part, "1.3.0");
  await expect(findToast(owner.page, "Current version changed")).toContainText("Windows 1.3.0 is offered now.");
  await expect(row).toContainText("Current");
  await expect(row.getByRole("button", { name: "Copy SHA-256 of Windows 1.3.0" })).toBeVisible();
  await upload(part, "Android .apk", app);
  await makeCurrent(part, "1.4.1");

  await visitor.goto("/");
  const section = visitor.getByRole("region", { name: "Download Desktop & Mobile Apps" });
  await expect(section).toContainText("Version 1.3.0, 51 kB");
  await expectDownload(visitor, section.getByRole("link", { name: "Download Android APK" }), app, /\.apk$/);
  await visitor.getByRole("button", { name: "Downloads" }).click();
  const menu = visitor.getByRole("list", { name: "Downloads" });
  await expectAccessibleAsShown(visitor, "the Downloads menu", "night");
  await expectAccessibleAsShown(visitor, "the Downloads menu", "day");
  await visitor.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);
  await expect(visitor.getByRole("button", { name: "Downloads" })).toBeFocused();
  await visitor.keyboard.press("Enter");
  await expectDownload(visitor, menu.getByRole("link", { name: "Windows .exe" }), program, /\.exe$/);
  await visitor.setViewportSize({ width: 1023, height: 768 });
  await expect(visitor.getByRole("button", { name: "Downloads" })).toHaveCount(0);

  const host = await newVisitor({ ...OLD_WINDOWS, viewport: { width: 1024, height: 768 } });
  await host.goto("/about");
  await expect(findPrompt(host)).toContainText("PlatformWindowsYou have1.2.3New version1.3.0");
  await host.setViewportSize({ width: 1023, height: 768 });
  await expect(findPrompt(host)).toHaveCount(0);
  await host.setViewportSize({ width: 1024, height: 768 });
  await expectDownload(host, findPrompt(host).getByRole("link", { name: "Download" }), program, /\.exe$/);
  await expect(findToast(host, "Download started")).toBeVisible();
  await host.goto("/");
  await expect(host.getByRole("button", { name: "Downloads" })).toBeVisible();
  await expect(findPrompt(host), "put off for a day").toHaveCount(0);
  await expect(host.getByRole("link", { name: "Download Windows EXE" }), "an app offers no app").toHaveCount(0);

  const phone = await newVisitor(OLD_ANDROID);
  await phone.goto("/");
  await expect(findPrompt(phone)).toContainText("New version1.4.1");
  await expectAccessible(phone, "an update is offered");
  await findPrompt(phone).getByRole("button", { name: "Not Now" }).click();
  await phone.reload();
  await expect(phone.getByText("Ready to Play?")).toBeVisible();
  await expect(findPrompt(phone)).toHaveCount(0);

  await visitor.goto("/matches?native=windows&nativeVersion=1.3.0&tab=1#top");
  const desktopApp = visitor.getByRole("dialog", { name: "Desktop App Available" });
  await expect(desktopApp.getByRole("link", { name: "Download App" })).toBeVisible();
  await expectAccessible(visitor, "the desktop app is offered");
  expect(new URL(visitor.url()).search).toBe("?tab=1");
  await desktopApp.getByRole("button", { name: "Continue in Browser" }).click();
  await visitor.goto("/");
  await expect(visitor.getByText("Ready to Play?")).toBeVisible();
  await expect(section).toHaveCount(0);
});

test("an upload is validated, survives a lost connection, and an older version can become current [HOME-11]", async ({
  newOwner,
  newVisitor,
  expectedErrors,
}) => {
  expectedErrors.push(/(status of 4(09|22)|ERR_INTERNET_DISCONNECTED).*\/api\/admin\/releases/);
  const owner = await newOwner();
  const { page } = owner;
  const part = await openUpdates(owner);
  const form = part.getByRole("form", { name: "New version" });
  const send = form.getByRole("button", { name: /^(Upload|Try Again)$/ });
  await choose(part, "Windows .exe", { name: "holo.exe", mimeType: BINARY, buffer: makeApp("1.4.2") });
  await send.click();
  await expect(form.getByRole("alert")).toHaveText("Failed to upload: This is not a Windows program (.exe).");
  await choose(part, "Android .apk", toProgram("1.4.2"));
  await expect(form.getByRole("alert")).toHaveCount(0);
  await send.click();
  await expect(form.getByRole("alert")).toHaveText("Failed to upload: This is not an Android app (.apk).");

  await choose(part, "Windows .exe", toProgram("2.0.0"));
  await expect(form.getByLabel("Version")).toBeFocused();
  await form.getByLabel("Version").fill("2.0");
  await send.click();
  await expect(form.getByLabel("Version")).toBeFocused();
  await expect(form.getByLabel("Version")).toHaveAccessibleDescription(/^A version has three numbers/);
  await form.getByLabel("Version").fill("2.0.1");
  await send.click();
  await expect(form.getByRole("alert")).toContainText("Failed to upload: The file says it's version 2.0.0.");
  await expectAccessible(page, "an upload was refused");
  await form.getByLabel("Version").fill("2.0.0");
  await page.route("**/api/admin/releases?**", (route) => route.abort("internetdisconnected"));
  await send.click();
  await expect(form.getByRole("alert")).toContainText("Failed to upload: The connection was lost");
  await expect(findVersion(part, "Windows", "2.0.0")).toHaveCount(0);
  await page.unroute("**/api/admin/releases?**");
  await send.click();
  await makeCurrent(part, "2.0.0");
  await upload(part, "Windows .exe", toProgram("2.1.0"));
  await expect(part.getByRole("status")).toHaveText("Windows 2.1.0 is uploaded. Everyone is still offered 2.0.0.");
  await makeCurrent(part, "2.1.0");

  await findVersion(part, "Windows", "2.0.0").getByRole("button", { name: "Make current: Windows 2.0.0" }).click();
  const dialog = page.getByRole("dialog", { name: "Make 2.0.0 Current?" });
  await expect(dialog).toContainText("instead of 2.1.0");
  await expectAccessible(page, "another version is to be made current");
  await dialog.getByRole("button", { name: "Make Current" }).click();
  await expect(findVersion(part, "Windows", "2.0.0")).toContainText("Current");
  await upload(part, "Windows .exe", toProgram("2.0.0"));
  await expect(findToast(page, "Nothing changed")).toContainText("Windows 2.0.0 is the current version already.");
  await expect(part.getByRole("button", { name: "Upload Windows .exe" })).toBeFocused();
  await expect(findVersion(part, "Windows", "2.1.0").getByRole("button", { name: /^Make/ })).toBeVisible();
  await dismissToasts(page);
  await page.getByRole("button", { name: "Downloads" }).click();
  await expect(page.getByRole("list", { name: "Downloads" })).toContainText("Version 2.0.0");
  const visitor = await newVisitor();
  await visitor.goto("/");
  await expect(visitor.getByRole("region", { name: "Download Desktop & Mobile Apps" })).toContainText("Version 2.0.0");
});

test("a release made current by another admin is named after the refusal [ADMIN-06]", async ({
  newOwner,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 409.*\/api\/admin\/releases\/current\)/);
  const owner = await newOwner();
  const { page } = owner;
  const part = await openUpdates(owner);
  for (const version of ["2.2.0", "2.3.0", "2.4.0"]) await upload(part, "Windows .exe", toProgram(version));
  const { request } = owner.context;
  const { releases } = (await (await request.get("/api/admin/releases")).json()) as ReleasesView;
  const idOf = (version: string) => releases.find((release) => release.version === version)?.id;
  const makeCurrentElsewhere = async (version: string, insteadOf: string | undefined) =>
    await request.post("/api/admin/releases/current", {
      data: { id: idOf(version), insteadOf: insteadOf ?? null },
      headers: { origin: arena.url },
    });
  const before = releases.find(({ platform, isCurrent }) => platform === "windows" && isCurrent);
  expect((await makeCurrentElsewhere("2.2.0", before?.id)).ok()).toBe(true);
  await page.reload();

  await findVersion(part, "Windows", "2.4.0")
    .getByRole("button", { name: /^Make current/ })
    .click();
  const dialog = page.getByRole("dialog", { name: "Make 2.4.0 Current?" });
  await expect(dialog).toContainText("instead of 2.2.0");
  expect((await makeCurrentElsewhere("2.3.0", idOf("2.2.0"))).ok()).toBe(true);
  await dialog.getByRole("button", { name: "Make Current" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Someone else just changed the current version.");
  await expect(dialog).toContainText("instead of 2.3.0");
  await dialog.getByRole("button", { name: "Make Current" }).click();
  await expect(findToast(page, "Current version changed")).toContainText("Windows 2.4.0 is offered now.");
  await expect(dialog).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  const current = part.getByRole("paragraph").filter({ hasText: /^Current 2\.4\.0/ });
  const uploading = part.getByRole("button", { name: "Upload Windows .exe" });
  const [text, button] = [(await current.boundingBox())!, (await uploading.boundingBox())!];
  expect(button.x, "beside the text").toBeGreaterThanOrEqual(text.x + text.width);
});
