import { type GameId, toGameId } from "@holo/kernel/ids.ts";
import type { Locator, Page } from "@playwright/test";
import type { ArenaServer } from "./arena-server.ts";
import { expect, PASSWORD, type Person } from "./fixtures.ts";

interface Terms {
  readonly game?: "Checkers" | "Chess";
  readonly stake?: "1" | "2" | "5" | "10";
  readonly minutes?: "5" | "10";
}

export async function login(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
}

/** Submits the form of Create Match. */
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

/** A player's match in the list of all matches. */
export function findCard(page: Page, username: string): Locator {
  return page.getByRole("listitem").filter({ hasText: username });
}

/** Joins a player's pending match from the list and accepts the fee. */
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

/** Waits for a game page and returns the game id. */
export async function readGameId(page: Page): Promise<GameId> {
  await page.waitForURL(/\/game\/[0-9a-f-]{36}$/);
  return toGameId(new URL(page.url()).pathname.split("/")[2]!);
}

/** Starts a game through the pages, the first player as white. Returns the game id. */
export async function startGame(white: Person, black: Person, terms: Terms = {}): Promise<GameId> {
  await createMatch(white.page, terms);
  await expect(white.page.getByRole("dialog", { name: "Finding Match" })).toBeVisible();
  await joinMatch(black.page, white.username);
  await readGameId(black.page);
  return await readGameId(white.page);
}

/** Time between the text appearing and the page leaving its path, in ms of the page's clock. */
export function measureTimeUntilLeft(page: Page, words: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const from = location.pathname;
        let saidAtMs: number | null = null;
        new MutationObserver(() => {
          if (document.body.textContent.includes(wanted)) saidAtMs ??= performance.now();
          if (saidAtMs !== null && location.pathname !== from) resolve(performance.now() - saidAtMs);
        }).observe(document, { subtree: true, childList: true, characterData: true });
      }),
    words,
  );
}

/** Lets a clock run down to `leftMs`, at most a second more, as the page shows it. */
export async function runClockDown(
  arena: ArenaServer,
  clock: Locator,
  leftMs: number,
  playTurns: () => Promise<void>,
): Promise<void> {
  const [minutes, seconds] = (await clock.innerText()).split(":").map(Number);
  await arena.advanceTables(Math.floor(minutes! * 60 + seconds!) * 1_000 - leftMs);
  // the next moves bring the new clock to the page
  await playTurns();
}
