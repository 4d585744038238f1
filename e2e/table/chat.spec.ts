import type { GameId } from "@holo/kernel/ids.ts";
import type { Page } from "@playwright/test";
import { byClicks } from "../support/board.ts";
import { auditAfterwards, expect, type Person, test, UNREACHABLE } from "../support/fixtures.ts";
import { connectRobot, type Robot } from "../support/robot.ts";
import { recordSounds } from "../support/sounds.ts";
import { findToast } from "../support/steps.ts";
import { closeRobots } from "../support/tables.ts";

auditAfterwards();

async function seat(pair: readonly [Person, Person], url: string): Promise<{ gameId: GameId; robots: [Robot, Robot] }> {
  const robots: [Robot, Robot] = [await connectRobot(pair[0], url), await connectRobot(pair[1], url)];
  const gameId = await robots[0].create("checkers", 1, 10);
  await robots[1].join(gameId);
  for (const { page } of pair) await page.goto(`/game/${gameId}`);
  return { gameId, robots };
}

function findButton(page: Page) {
  return page.getByRole("button", { name: /^Chat/ });
}

function findPanel(page: Page) {
  return page.getByRole("dialog", { name: "Game Chat" });
}

function findMessages(page: Page) {
  return findPanel(page).getByRole("log", { name: "Messages" }).locator(".message");
}

async function openChat(page: Page): Promise<void> {
  await findButton(page).click();
  await expect(findPanel(page).getByRole("textbox", { name: "Message" })).toBeFocused();
}

async function write(page: Page, text: string, key = "Enter"): Promise<void> {
  await findPanel(page).getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press(key);
}

test("a message reaches the opponent, shows a badge and survives a reload [GAME-12]", async ({ newPlayer, arena }) => {
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola");
  const readSounds = await recordSounds(ada.page);
  const { robots } = await seat([ada, bola], arena.url);
  await openChat(ada.page);
  const place = await findPanel(ada.page).boundingBox();
  expect([place?.width, place?.height]).toEqual([320, 384]);
  await write(ada.page, "Good luck o");
  await write(ada.page, "No hard feelings", "Shift+Enter");
  await expect(findMessages(ada.page)).toHaveCount(2);
  await expect(findPanel(ada.page).getByRole("textbox")).toHaveValue("");

  await expect(findButton(bola.page)).toHaveAccessibleName("Chat 2 unread");
  await openChat(bola.page);
  await expect(findPanel(bola.page).getByText("2 new")).toBeVisible();
  await expect(findMessages(bola.page)).toHaveText([/^.+: Good luck o \d\d:\d\d$/, /^.+: No hard feelings \d\d:\d\d$/]);
  await expect(findButton(bola.page)).toHaveAccessibleName("Chat");
  await write(bola.page, "Same to you");
  await expect(findMessages(ada.page).last()).toContainText("Same to you");
  await expect(findButton(ada.page)).toHaveAccessibleName("Chat");
  await expect.poll(() => readSounds("chat")).toHaveLength(1);
  await ada.page.getByRole("banner").getByRole("button", { name: "Notifications" }).click();
  await write(bola.page, "Still there?");
  await expect(findMessages(ada.page).last()).toContainText("Still there?");
  expect(await readSounds("chat")).toHaveLength(1);

  await bola.page.keyboard.press("Escape");
  await expect(findPanel(bola.page)).toHaveCount(0);
  await expect(findButton(bola.page)).toBeFocused();
  await bola.page.reload();
  await expect(findButton(bola.page)).toHaveAccessibleName("Chat");
  await openChat(bola.page);
  await expect(findMessages(bola.page)).toHaveCount(4);
  await expect(findPanel(bola.page).getByText(/new$/)).toHaveCount(0);
  closeRobots(robots);
});

test("messages are checked before they are sent, and a muted opponent's are hidden [VALID-15]", async ({
  newPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola");
  const { robots } = await seat([ada, bola], arena.url);
  await openChat(ada.page);
  await write(ada.page, "   ");
  await findPanel(ada.page).getByRole("button", { name: "Send" }).click();
  await write(ada.page, "👍".repeat(205));
  await expect(findMessages(ada.page)).toHaveText(/^You: (👍){200} \d\d:\d\d$/u);

  const field = findPanel(ada.page).getByRole("textbox");
  await field.fill("a".repeat(159));
  await expect(findPanel(ada.page).getByText("/200")).toHaveCount(0);
  await field.fill("👍".repeat(160));
  await expect(findPanel(ada.page).getByText("160/200")).toBeVisible();

  await write(ada.page, "you are a fucking fool");
  await expect(findToast(ada.page, "Message Blocked")).toContainText(
    "Please avoid using abusive or inappropriate language.",
  );
  await expect(field).toHaveValue("you are a fucking fool");
  await expect(findMessages(ada.page)).toHaveCount(1);
  await openChat(bola.page);
  await expect(findMessages(bola.page)).toHaveCount(1);

  await findPanel(bola.page)
    .getByRole("button", { name: `Mute ${ada.username}` })
    .click();
  await expect(findPanel(bola.page)).toContainText(`You have muted ${ada.username}.`);
  await bola.page.keyboard.press("Escape");
  await write(ada.page, "can you hear me");
  await expect(findMessages(ada.page)).toHaveCount(2);

  await bola.page.reload();
  await expect(findButton(bola.page)).toHaveAccessibleName("Chat");
  await openChat(bola.page);
  await expect(findPanel(bola.page)).toContainText(`You have muted ${ada.username}.`);
  await expect(findMessages(bola.page)).toHaveCount(0);
  await findPanel(bola.page).getByRole("button", { name: "Unmute" }).click();
  await expect(findMessages(bola.page)).toHaveText([/👍/u, /can you hear me/]);
  closeRobots(robots);
});

test("watchers see no chat and receive none [ROLE-04]", async ({ newPlayer, newVisitor, arena }) => {
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola");
  const chidi = await newPlayer("chidi");
  const visitor = await newVisitor();
  const heard: string[] = [];
  for (const page of [chidi.page, visitor]) {
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => heard.push(String(payload))));
  }
  const { gameId, robots } = await seat([ada, bola], arena.url);
  for (const page of [chidi.page, visitor]) {
    await page.goto(`/game/${gameId}`);
    await expect(page.getByRole("grid", { name: "Board" })).toBeVisible();
  }
  await openChat(ada.page);
  await write(ada.page, "between us two");
  await openChat(bola.page);
  await expect(findMessages(bola.page)).toHaveCount(1);
  await byClicks(ada.page, ["c3", "d4"]);
  for (const page of [chidi.page, visitor]) {
    await expect(page.getByRole("list", { name: "Moves" })).toContainText("c3-d4");
    await expect(findButton(page)).toHaveCount(0);
  }
  expect(heard.length).toBeGreaterThan(0);
  expect(heard.filter((frame) => frame.includes("between us two"))).toEqual([]);
  closeRobots(robots);
});

test("a message written offline arrives once after the reconnect", async ({ newPlayer, arena, expectedErrors }) => {
  expectedErrors.push(UNREACHABLE);
  const ada = await newPlayer("ada", { context: { baseURL: arena.proxy.url, viewport: { width: 390, height: 844 } } });
  const bola = await newPlayer("bola");
  const { robots } = await seat([ada, bola], arena.url);
  await openChat(bola.page);
  await openChat(ada.page);
  await expect(findPanel(ada.page).locator(".clock")).toHaveText([/^\d+:\d\d/, /^\d+:\d\d/]);
  await expect(findPanel(ada.page).locator(".clock").first()).toBeVisible();

  await ada.context.setOffline(true);
  arena.proxy.cut();
  await write(ada.page, "are you there?");
  await expect(findMessages(ada.page)).toHaveText(/are you there\? Sending\.\.\.$/);
  await write(bola.page, "waiting");
  await expect(ada.page.getByText("You are offline.", { exact: true })).toBeVisible();
  arena.proxy.restore();
  await ada.context.setOffline(false);
  await expect(findMessages(bola.page)).toHaveText([/waiting/, /are you there\?/]);
  await expect(findMessages(ada.page)).toHaveText([/waiting \d\d:\d\d$/, /are you there\? \d\d:\d\d$/]);
  await bola.page.reload();
  await openChat(bola.page);
  await expect(findMessages(bola.page)).toHaveCount(2);
  closeRobots(robots);
});
