import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/axe.ts";
import { byClicks, findSquare } from "./support/board.ts";
import { auditAfterwards, expect, test, UNREACHABLE } from "./support/fixtures.ts";
import { serveNextRelease } from "./support/next-release.ts";
import { connectRobot } from "./support/robot.ts";
import { closeRobots } from "./support/tables.ts";

auditAfterwards();

const NO_SOCKET = /WebSocket/;
const GONE = /status of 404/;

/** Added to a worker: replies to each message once the worker has decided about it. */
const REPLY_AFTER_DECISION = `
const { waitUntil } = ExtendableEvent.prototype;
ExtendableEvent.prototype.waitUntil = function (work) {
  waitUntil.call(this, work);
  if (this.type === "message") work.then(() => this.source.postMessage("decided"));
};`;

async function openKept(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}

async function listKept(page: Page): Promise<readonly string[]> {
  return await page.evaluate(async () => {
    const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
}

async function update(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const { installing } = registration;
    if (installing === null) return;
    await new Promise<void>((resolve) => {
      installing.addEventListener("statechange", () => resolve(), { once: true });
    });
  });
}

function askToTakeOver(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    document.dispatchEvent(new Event("visibilitychange"));
    return document.body.dataset.reply;
  });
}

function isWaiting(page: Page): Promise<boolean> {
  return page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null);
}

// [PRAC-07 §4] Practice of every game, level and hint works without a network after one visit.
test("starts offline after one visit, plays practice, caches no personal data, and goes on once the network is back [PRAC-07]", async ({
  newPlayer,
  expectedErrors,
}) => {
  expectedErrors.push(UNREACHABLE);
  const { page, username } = await newPlayer("ada", { context: { prefetches: true, serviceWorkers: "allow" } });
  await openKept(page, "/");
  await page.goto("/profile");
  await expect(page.getByRole("main")).toContainText(username);
  const tabBar = page.locator(".tab-bar");
  await page.context().setOffline(true);
  await page.goto("/");
  await expect(page).toHaveTitle(/^No connection/);
  await expect(tabBar).toContainText("Profile");
  await expect(page.getByRole("heading", { name: "Practice goes on" })).toBeVisible();
  await expect(page.locator(".practice-status")).toHaveText("Your Turn (White)");
  await expectAccessible(page, "home without a network");
  await byClicks(page, ["c3", "d4"]);
  await expect(findSquare(page, "d4")).toHaveAccessibleName("d4, white man");
  await expect(page.locator(".practice-status")).toHaveText("Your Turn (White)");
  await page.context().setOffline(false);
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();

  await page.context().setOffline(true);
  for (const address of ["/profile", "/"]) {
    await page.goto(address);
    await expect(page).toHaveTitle(/^No connection/);
    await expect(page.locator("body")).not.toContainText(username);
    await expect(tabBar).toContainText("Login");
  }
  const kept = await listKept(page);
  expect(kept.filter((address) => address !== "/" && !address.startsWith("/assets/"))).toEqual([]);
  await page.goto("/practice?game=chess&as=black&level=2");
  await expect(page.locator(".practice-status")).toHaveText("Your Turn (Black)");
  await page.getByRole("button", { name: "Hint" }).click();
  await expect(page.locator(".board .drawings .head")).toBeVisible();
  await expect(findSquare(page, "e8")).toHaveAccessibleName("e8, black king");
  await expectAccessible(page, "practice without a network");
  await page.goto("/matches");
  await expect(page.getByText("If you're in a game, your clock may be running.")).toBeVisible();
  await expect(page.getByText("We can't reach Holo Arena. Trying again...")).toBeVisible();
  await expectAccessible(page, "matches without a network");
  await page.context().setOffline(false);
  await expect(page.getByRole("tab", { name: "My Matches" })).toBeVisible();
});

test("keeps a newer worker waiting during a game, ignores a broken one, and removes everything on demand", async ({
  newVisitor,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(NO_SOCKET, GONE);
  const release = await serveNextRelease(arena.url);
  const page = await newVisitor({ prefetches: true, serviceWorkers: "allow", baseURL: release.url });
  await openKept(page, "/");
  // Only a page loaded after the worker is controlled by it, and keeps a newer one waiting.
  await page.reload();
  // As a link of the page does: nothing is loaded, and the worker is not told.
  await page.evaluate((path) => history.pushState(null, "", path), `/game/${randomUUID()}`);
  const kept = await listKept(page);
  expect(kept).toContain("/");

  release.change((built) => built.replaceAll("/assets/react-", "/assets/gone-"));
  await update(page);
  expect(await isWaiting(page)).toBe(false);
  expect(await listKept(page)).toEqual(kept);

  release.change((built) => built + REPLY_AFTER_DECISION);
  await update(page);
  await page.evaluate(() => {
    navigator.serviceWorker.addEventListener("message", ({ data }) => {
      document.body.dataset.reply = data;
    });
  });
  await expect.poll(() => askToTakeOver(page)).toBe("decided");
  expect(await isWaiting(page)).toBe(true);

  await page.goto("/about");
  // Requests of the page must not keep the older worker in control.
  await page.evaluate(async () => {
    for (let count = 0; count < 50; count += 1) await fetch("/robots.txt");
  });
  await expect
    .poll(async () => {
      await askToTakeOver(page);
      return await isWaiting(page);
    })
    .toBe(false);
  expect(await page.evaluate(() => performance.getEntriesByType("navigation").length)).toBe(1);

  release.change(async () => await (await fetch(`${arena.url}/sw-off.js`)).text());
  await page.goto("/terms");
  await expect.poll(() => listKept(page)).toEqual([]);
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await release.close();
});

/**
 * Runs in the worker: presses a notice with this path. The headless browser refuses every
 * permission for notices.
 */
const PRESS_NOTICE = (path: string) => `self.dispatchEvent(
  Object.assign(new ExtendableEvent("notificationclick"), {
    notification: { data: { path: "${path}" }, close() {} },
  }),
)`;

/** In the worker: a page of a busy machine is asked as long as a test waits, not half a second. */
function awaitAnswers(): void {
  const start = self.setTimeout;
  const startLonger = (run: TimerHandler, delayMs?: number) => start(run, delayMs === 500 ? 20_000 : delayMs);
  self.setTimeout = startLonger as typeof setTimeout;
}

function noteOpenedPath(): void {
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data?.openPath !== undefined) document.documentElement.dataset.opened = data.openPath;
  });
}

test("shows a notice through the worker where pages cannot; a press opens the table, a logout closes it [PROF-08]", async ({
  newPlayer,
  addPlayer,
  arena,
  expectedErrors,
}) => {
  const ada = await newPlayer("ada", { context: { prefetches: true, serviceWorkers: "allow" } });
  const { page } = ada;
  // As in Chrome on Android, before the player was asked: pages cannot show notices, workers can.
  await page.addInitScript(() => {
    class Refusing {
      static permission = "default";
      static async requestPermission() {
        Refusing.permission = "granted";
        return Refusing.permission;
      }
      constructor() {
        throw new TypeError("Illegal constructor");
      }
    }
    Object.defineProperty(window, "Notification", { value: Refusing });
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      document.documentElement.dataset.notice = `${title} ${JSON.stringify(options?.data)}`;
    };
    const shown = { close: () => delete document.documentElement.dataset.notice };
    ServiceWorkerRegistration.prototype.getNotifications = async () => [shown as unknown as Notification];
  });
  await openKept(page, "/create-match");
  await page.getByRole("button", { name: "Create Match" }).click();
  const dialog = page.getByRole("dialog", { name: "Finding Match" });
  await expect(dialog).toContainText("Get told as soon as someone joins");
  await dialog.getByRole("button", { name: "Allow notifications" }).click();
  await expect(dialog.getByRole("button", { name: "Allow notifications" })).toHaveCount(0);

  const robots = [await connectRobot(ada, arena.url), await connectRobot(await addPlayer("bola"), arena.url)] as const;
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  const gameId = await robots[1].create("checkers", 1);
  const notice = `Opponent joined {"path":"/game/${gameId}"}`;
  await expect(page.locator("html")).toHaveAttribute("data-notice", notice);

  await expect(page).toHaveURL(`/game/${gameId}`);
  // The page of the table is chosen, although it was loaded elsewhere and another is in front.
  const other = await ada.context.newPage();
  await openKept(other, "/");
  await expect(other).toHaveURL(`/game/${gameId}`);
  await other.getByRole("banner").getByRole("link", { name: "Matches" }).click();
  await expect(other).toHaveURL("/matches");
  await page.evaluate(noteOpenedPath);
  await ada.context.serviceWorkers()[0]!.evaluate(awaitAnswers);
  await ada.context.serviceWorkers()[0]!.evaluate(PRESS_NOTICE(`/game/${gameId}`));
  await expect(page.locator("html")).toHaveAttribute("data-opened", `/game/${gameId}`);
  await expect(other).toHaveURL("/matches");
  await other.close();

  await page.getByRole("banner").getByRole("link", { name: "Matches" }).click();
  await expect(page).toHaveURL("/matches");
  await ada.context.serviceWorkers()[0]!.evaluate(PRESS_NOTICE(`/game/${gameId}`));
  await expect(page).toHaveURL(`/game/${gameId}`);
  await robots[0].cancel(gameId);
  closeRobots(robots);

  // The page of the cancelled game may still request its settlement.
  expectedErrors.push({ page, pattern: /status of 401/ });
  await expect(page.locator("html")).toHaveAttribute("data-notice");
  await ada.context.request.post("/api/logout", { data: {}, headers: { origin: arena.url } });
  await expect(page.getByRole("banner").getByRole("link", { name: "Login" })).toBeVisible();
  await expect(page.locator("html")).not.toHaveAttribute("data-notice");
});
