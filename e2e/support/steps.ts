import { type GameId, toGameId } from "@holo/kernel/ids.ts";
import type { Locator, Page, Response } from "@playwright/test";
import type { ArenaServer } from "./arena-server.ts";
import { expect, PASSWORD, type Person } from "./fixtures.ts";

interface Terms {
  readonly game?: "Checkers" | "Chess";
  readonly stake?: "1" | "2" | "5" | "10";
  readonly minutes?: "5" | "10";
}

export async function login(page: Page, email: string, password = PASSWORD): Promise<void> {
  if (new URL(page.url()).pathname !== "/login") await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
}

export async function createMatch(page: Page, { game = "Checkers", stake = "1", minutes = "5" }: Terms = {}) {
  await page.goto("/create-match");
  await chooseTerms(page, { game, stake, minutes });
  await page.getByRole("button", { name: "Create Match" }).click();
}

export async function chooseTerms(page: Page, { game, stake, minutes }: Terms): Promise<void> {
  if (game !== undefined) await page.getByLabel("Game type").selectOption(game);
  if (stake !== undefined) await page.getByLabel("Stake per piece").selectOption(`${stake} HC`);
  if (minutes !== undefined) await page.getByLabel("Time limit").selectOption(`${minutes} minutes`);
}

export function findCard(page: Page, username: string): Locator {
  return page.getByRole("listitem").filter({ hasText: username });
}

export async function joinMatch(page: Page, username: string): Promise<void> {
  await page.goto("/matches");
  await findCard(page, username)
    .getByRole("button", { name: /^Join Match/ })
    .click();
  await page.getByRole("dialog", { name: "Transaction Fee" }).getByRole("button", { name: "Accept & Join" }).click();
}

/** What a table says while its connection is lost. */
export const CUT_OFF = /Reconnecting\.\.\.|Connection problem|Holo Arena is not answering|You are offline\./;

export function findToast(page: Page, title: string): Locator {
  return page.locator(".toast").filter({ hasText: title });
}

/** For a press on the header: tests hold all toasts, which would end by themselves. */
export async function dismissToasts(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>(".toast button")) button.click();
  });
  await expect(page.locator(".toast")).toHaveCount(0);
}

/**
 * Waits for the table, because the page that was left stays visible for a while. A press on that
 * page would be lost.
 */
export async function readGameId(page: Page): Promise<GameId> {
  await page.waitForURL(/\/game\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("grid", { name: "Board" })).toBeVisible();
  return toGameId(new URL(page.url()).pathname.split("/")[2]!);
}

export async function startGame(white: Person, black: Person, terms: Terms = {}): Promise<GameId> {
  await createMatch(white.page, terms);
  await expect(white.page.getByRole("dialog", { name: "Finding Match" })).toBeVisible();
  await joinMatch(black.page, white.username);
  await readGameId(black.page);
  return await readGameId(white.page);
}

/** The profile's page loads it under the same address. */
export function waitForSavedProfile(page: Page): Promise<Response> {
  return page.waitForResponse(
    (response) => response.url().endsWith("/api/profile") && response.request().method() === "PATCH",
  );
}

/**
 * The delay in ms of the timer whose callback makes the page leave its path. The requested delay is
 * read: a busy machine changes only the elapsed time.
 */
export function readDelayUntilLeft(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const from = location.pathname;
        const start = window.setTimeout;
        let isLeft = false;
        const startWatched = (run: TimerHandler, delayMs?: number, ...rest: unknown[]) =>
          start(() => {
            if (typeof run === "function") run(...rest);
            // A timer that is still pending then must not end the next watch.
            if (isLeft || location.pathname === from) return;
            isLeft = true;
            window.setTimeout = start;
            resolve(delayMs ?? 0);
          }, delayMs);
        window.setTimeout = startWatched as typeof window.setTimeout;
      }),
  );
}

/** Lets a clock run down to `leftMs`, at most a second more, as the page shows it. */
export async function runClockDown(
  arena: ArenaServer,
  clock: Locator,
  leftMs: number,
  playTurns: () => Promise<void>,
): Promise<void> {
  await arena.advanceTables(Math.max(0, (await readSeconds(clock)) * 1_000 - leftMs));
  // the next moves bring the new clock to the page
  await playTurns();
}

/** The whole seconds that a clock shows. */
export async function readSeconds(clock: Locator): Promise<number> {
  const [minutes, seconds] = (await clock.innerText()).split(":").map(Number);
  return Math.floor(minutes! * 60 + seconds!);
}
