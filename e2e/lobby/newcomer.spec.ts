import type { Locator, Page } from "@playwright/test";
import { byClicks, findSquare, playGame } from "../support/board.ts";
import { auditAfterwards, expect, PASSWORD, test } from "../support/fixtures.ts";
import { resign } from "../support/offers.ts";
import { connectRobot } from "../support/robot.ts";
import { readGameId } from "../support/steps.ts";
import { FOUR_PLIES } from "../support/tables.ts";

auditAfterwards();

const PHONE = { viewport: { width: 360, height: 640 } };
const PRESSES_MAX = 8;

/** A newcomer's thumb: it counts what it presses. */
function makeThumb() {
  let presses = 0;
  return {
    count: () => presses,
    async press(target: Locator): Promise<void> {
      presses += 1;
      await target.click();
    },
  };
}

type Thumb = ReturnType<typeof makeThumb>;

/** Types from field to field, and goes on with what the page offers after the login. */
async function register(page: Page, { press }: Thumb, username: string): Promise<void> {
  await press(page.getByLabel("Username"));
  await page.keyboard.type(username);
  await page.keyboard.press("Tab");
  await page.keyboard.type(`${username}@example.com`);
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await press(page.getByRole("button", { name: "Create Account" }));
  await press(page.getByRole("button", { name: "Login", exact: true }));
}

// [FREE-20 §- r41,47] A visitor on a phone registers and makes the first move of a free game against a waiting player in at
// most eight presses.
test("a visitor plays a first free game within eight presses [FREE-20]", async ({ newVisitor, addPlayer, arena }) => {
  const page = await newVisitor(PHONE);
  const bola = await connectRobot(await addPlayer("bola"), arena.url);
  await bola.create("checkers", 0);
  const thumb = makeThumb();
  await page.goto("/");
  await thumb.press(page.getByRole("main").getByRole("link", { name: "Create Account" }));
  await register(page, thumb, `new-${Date.now().toString(36)}`);
  await thumb.press(page.getByRole("link", { name: "Play free" }));
  await thumb.press(page.getByRole("button", { name: "Create Match" }));
  await readGameId(page);
  await expect(page.getByText("Make your first move").or(page.getByText("Opponent's turn")).first()).toBeVisible();
  expect(thumb.count()).toBeLessThanOrEqual(PRESSES_MAX);
  bola.close();
});

// [FREE-21 §- r41,42,47] A friend without an account follows an invitation, registers, and is led back to it; both play the
// free game to its end.
test("a friend without an account plays the free game of an invitation to its end [FREE-21]", async ({
  newPlayer,
  newVisitor,
}) => {
  const ada = await newPlayer("ada", { hc: 0, context: PHONE });
  await ada.page.goto("/create-match");
  await ada.page.getByRole("radio", { name: "A friend" }).check();
  await ada.page.getByRole("button", { name: "Play free" }).click();
  const gameId = await readGameId(ada.page);
  const link = await ada.page.getByRole("region", { name: "Invite a friend" }).getByRole("status").innerText();

  const friend = await newVisitor(PHONE);
  const thumb = makeThumb();
  await friend.goto(new URL(link).pathname);
  await expect(friend.getByRole("region", { name: "The game" })).toContainText("Free game.");
  await thumb.press(friend.getByRole("main").getByRole("link", { name: /Create Account/ }));
  await register(friend, thumb, `new-${Date.now().toString(36)}`);
  await thumb.press(friend.getByRole("button", { name: "Join Match (free)" }));
  expect(await readGameId(friend)).toBe(gameId);
  expect(thumb.count()).toBeLessThanOrEqual(PRESSES_MAX);

  const seats = [ada.page, friend];
  await playGame("checkers", seats.map((page) => ({ page, hand: byClicks })) as [never, never], FOUR_PLIES);
  await expect(findSquare(friend, "c3")).toBeVisible();
  await resign({ page: friend } as Parameters<typeof resign>[0]);
  await expect(ada.page.getByRole("heading", { name: "You won" })).toBeVisible();
  await expect(friend.locator(".result-panel")).toContainText("Free game.");
});
