import { readdirSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Browser, Page } from "@playwright/test";
import { findChromium } from "../../scripts/install/chromium.js";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { listScreens, openScreen } from "../support/screens.ts";
import { closeRobots, FOUR_PLIES, startRobotGame } from "../support/tables.ts";

// Games of other tests would change figures on the pages.
test.use({ ownServer: "platform" });
test.describe.configure({ timeout: 240_000 });
auditAfterwards();

const SHEETS = readdirSync("apps/web/dist/assets")
  .filter((name) => name.endsWith(".css"))
  .map((name) => `/assets/${name}`);

/** The boxes of all elements, in whole pixels: as the page is, and as these sheets style it. */
async function readLayout(page: Page, ...orders: readonly (readonly string[])[]): Promise<readonly string[][]> {
  await expect(page.locator("main :is(.loading, .skeleton, .rest-ahead, .practice-board .board-picture)")).toHaveCount(
    0,
  );
  // At once, because figures on the page may change later.
  return await page.evaluate(async (lists) => {
    const layouts = [read()];
    for (const addresses of lists) {
      const before = document.querySelectorAll('link[rel="stylesheet"]');
      const links = addresses.map((href) => Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
      const loaded = links.map((link) => new Promise((resolve) => link.addEventListener("load", resolve)));
      document.head.append(...links);
      await Promise.all(loaded);
      for (const link of before) link.remove();
      layouts.push(read());
    }
    return layouts;

    function read(): string[] {
      for (const animation of document.getAnimations()) animation.cancel();
      scrollTo(0, 0);
      return [...document.querySelectorAll("#root *")].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const name = `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`;
        return `${name} at ${Math.round(x)} ${Math.round(y)}, ${Math.round(width)} x ${Math.round(height)}`;
      });
    }
  }, orders);
}

// [SITE-44 §2] A page looks the same whether it was opened directly or after any other pages, in any order.
test("a page looks the same whatever was loaded before it, in any order [SITE-44]", async ({
  arena,
  newOwner,
  addPlayer,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404 .*\/nowhere/);
  const { page, username } = await newOwner();
  const [ada, bola] = [await addPlayer("ada"), await addPlayer("bola")];
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  await robots[0].send({ type: "resign", gameId });
  closeRobots(robots);
  const screens = listScreens("ceo", username).filter(({ redirectsTo }) => redirectsTo === undefined);

  const orders = [SHEETS, SHEETS.toReversed()];

  const direct = new Map<string, readonly string[] | undefined>();
  const fresh = await page.context().newPage();

  /** As the page is if nothing was loaded before it. */
  async function readDirectly({ path, heading }: { readonly path: string; readonly heading: string | null }) {
    await fresh.goto(path);
    const shown =
      heading === null
        ? fresh.getByRole("link", { name: "Download PDN" })
        : fresh.getByRole("heading", { name: heading, level: 1, exact: true });
    await expect(shown).toBeVisible();
    if (path === "/") await expect(fresh.locator(".live-numbers-text")).toBeVisible();
    // Parts of a page that fetch what they show.
    await fresh.waitForLoadState("networkidle");
    const [layout, ...others] = await readLayout(fresh, ...orders);
    for (const other of others) expect(other, `${path} with all sheets`).toEqual(layout);
    direct.set(path, layout);
  }

  for (const screen of [...screens, { path: `/game/${gameId}`, heading: null }]) {
    // A figure that the server pushed in between makes a second attempt necessary.
    await expect(async () => await readDirectly(screen)).toPass({ timeout: 60_000 });
  }
  await page.goto("/");
  const visited = screens.filter(({ path }) => !path.startsWith("/admin/"));
  for (const screen of [...visited, ...visited.toReversed()]) {
    await openScreen(page, "ceo", screen);
    // Parts that load late are waited for; a text such as "9 min ago" has changed.
    await expect(async () => {
      const [layout] = await readLayout(page);
      if (!isDeepStrictEqual(layout, direct.get(screen.path))) await readDirectly(screen);
      expect(layout, `${screen.path} after other pages`).toEqual(direct.get(screen.path));
    }).toPass({ timeout: 60_000 });
  }
});

test("A browser that darkens pages by itself recolours neither the board nor the pieces, in both themes [GAME-32 §2]", async ({
  arena,
  browser,
}) => {
  const args = ["--blink-settings=forceDarkModeEnabled=true"];
  const darkening = await browser.browserType().launch({ args, executablePath: findChromium() ?? "" });

  async function pictureIn(some: Browser, theme: "day" | "night"): Promise<readonly string[]> {
    const context = await some.newContext({ baseURL: arena.url, reducedMotion: "reduce" });
    const page = await context.newPage();
    // Chosen, because the darkening browser also says that its device prefers dark.
    await page.addInitScript((chosen) => {
      if (location.protocol !== "about:") localStorage.setItem("holo.theme", chosen);
    }, theme);
    // A page that declares nothing is darkened.
    await page.setContent('<body style="background: #fff; color: #000">Words');
    const undeclared = await page.screenshot();
    await page.goto("/");
    await expect(page.getByText("Your Turn (White)")).toBeVisible();
    const board = await page.locator(".board-frame").screenshot();
    await context.close();
    return [board, undeclared].map((picture) => picture.toString("base64"));
  }

  for (const theme of ["day", "night"] as const) {
    const [board, undeclared] = await pictureIn(browser, theme);
    const [darkenedBoard, darkened] = await pictureIn(darkening, theme);
    expect(darkened === undeclared, "the browser darkens").toBe(false);
    expect(darkenedBoard === board, `the board by ${theme} stays`).toBe(true);
  }
  await darkening.close();
});
