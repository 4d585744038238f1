import type { GameId } from "@holo/kernel/ids.ts";
import { DAY_MS } from "@holo/kernel/instant.ts";
import type { Stake } from "@holo/table/stakes.ts";
import type { Locator, Page } from "@playwright/test";
import type { SandboxControl } from "../../apps/sandbox/src/testing/sandbox-control.ts";
import type { TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";
import type { ArenaServer } from "./arena-server.ts";
import type { ArenaDatabase } from "./database.ts";
import { expect, PASSWORD, type Person } from "./fixtures.ts";
import { askWithdrawal, fillBankAccount, openCheckout } from "./payments.ts";
import { connectRobot, playLine } from "./robot.ts";
import { findToast } from "./steps.ts";
import { closeRobots, FOUR_PLIES } from "./tables.ts";

const GAMES = 5;

export interface Arena {
  readonly arena: ArenaServer;
  readonly database: ArenaDatabase;
}

/** Games that White gives up in an even position, and that the engine has seen. */
export async function dump(
  { arena, database }: Arena,
  loser: TestPlayer,
  winner: TestPlayer,
  stake: Stake = 1,
): Promise<readonly GameId[]> {
  const robots = [await connectRobot(loser, arena.url), await connectRobot(winner, arena.url)] as const;
  const gameIds: GameId[] = [];
  for (let game = 0; game < GAMES; game += 1) {
    const gameId = await robots[0].create("checkers", stake);
    await robots[1].join(gameId);
    await playLine(gameId, robots, FOUR_PLIES);
    await robots[0].send({ type: "resign", gameId });
    gameIds.push(gameId);
  }
  closeRobots(robots);
  await database.screen(gameIds);
  return gameIds;
}

/** Asks for everything a day later. What is not checked arrives at once. */
export async function withdrawAll({ arena }: Arena, { page }: Person): Promise<SandboxControl> {
  const control = await openCheckout(page, "5000");
  await control.change({ transferSettlesAfterMs: 0 });
  await arena.advanceTables(DAY_MS);
  await page.goto("/wallet");
  await page.getByRole("radio", { name: "Withdraw" }).check();
  const all = page.getByRole("button", { name: /^Withdraw all: ₦/ });
  const amount = (await all.innerText()).replace(/[^\d.,]/g, "");
  const dialog = await askWithdrawal(page, amount);
  await fillBankAccount(dialog, "0123456789");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: /^Withdraw ₦/ }).click();
  await expect(findToast(page, "Withdrawal request submitted successfully")).toBeVisible();
  return control;
}

/** The part of a withdrawal that is checked. */
export function findChecked(page: Page): Locator {
  return page
    .getByRole("region", { name: "Deposits and withdrawals" })
    .getByRole("listitem")
    .filter({ hasText: "at the latest, unless two of us decide otherwise" });
}

export async function openCase({ page }: Person, { username }: TestPlayer): Promise<void> {
  await page.goto("/admin/fair-play");
  await page.getByRole("listitem").filter({ hasText: username }).getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Decision" })).toBeVisible();
}

/** Fills the dialog's one text and sends it. */
export async function write(page: Page, label: string, text: string, submit: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(label).fill(text);
  await dialog.getByRole("button", { name: submit, exact: true }).click();
}

/** Admins of the owner's making, each with a page. */
export async function addAdmins(owner: Person, ...admins: readonly Person[]): Promise<void> {
  await owner.page.goto("/");
  const headers = { origin: new URL(owner.page.url()).origin };
  for (const { email } of admins) {
    const answer = await owner.page.request.post("/api/admin/admins", { data: { email, password: PASSWORD }, headers });
    expect(answer.status()).toBe(200);
  }
}
