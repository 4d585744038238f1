import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, type Person, test } from "../support/fixtures.ts";
import { findToast } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES, startRobotGame } from "../support/tables.ts";

auditAfterwards();

async function act(page: Page, title: string, label: string, reason: string, name: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.getByRole("button", { name }).click();
  await expect(dialog.getByLabel(label)).toHaveAccessibleDescription(
    label === "Reason" ? "Please write the reason." : "Please write what you found.",
  );
  await expect(dialog.getByLabel(label)).toBeFocused();
  await dialog.getByLabel(label).fill(reason);
  await expectAccessible(page, title);
  await dialog.getByRole("button", { name }).click();
  await expect(dialog).toHaveCount(0);
}

async function openFile(operator: Page, { username, email }: Person): Promise<void> {
  await operator.goto("/admin/players");
  await operator.getByLabel("Name, email or id").fill(email.toUpperCase());
  await operator.getByRole("button", { name: "Find" }).click();
  await operator.getByRole("link", { name: new RegExp(username) }).click();
  await expect(operator.getByRole("heading", { name: username })).toBeVisible();
}

function findBanner(page: Page): Locator {
  return page.getByRole("status").filter({ hasText: "Maintenance." });
}

// [GAME-23 §2] At a table a maintenance notice takes no room: it is in the header, on phones in the menu.
// [ADMIN-48 §8] When a form of staff is refused, the refusal is beside its field, which gets the focus, and what was
// typed stays. The button that was pressed shows that it works.
test("maintenance is shown on every page at once and blocks new games until it ends [ADMIN-48 GAME-23]", async ({
  newPlayer,
  addPlayer,
  arena,
  newOwner,
  newVisitor,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 503/);
  const [ada, owner, visitor] = [await newPlayer("ada"), await newOwner(), await newVisitor()];
  await ada.page.goto("/create-match");
  const chidi = await newPlayer("chidi", { context: { viewport: { width: 390, height: 844 } } });
  const { robots } = await startRobotGame(chidi, await addPlayer("dayo"), arena.url, FOUR_PLIES);
  const atTable = (selector: string) => chidi.page.locator(selector).boundingBox();
  const before = [await atTable(".board"), await atTable(".table-actions")];
  await owner.page.goto("/admin/revenue");
  const part = owner.page.getByRole("region", { name: "Maintenance" });
  await part.getByRole("button", { name: "Begin Maintenance" }).click();
  const field = part.getByLabel("What players are told");
  await expect(field).toHaveAccessibleDescription("Please write a message for players.");
  await expect(field).toBeFocused();
  await field.fill("Faster machines until noon.");
  await part.getByRole("button", { name: "Begin Maintenance" }).click();
  for (const page of [owner.page, ada.page, chidi.page]) {
    await expect(findBanner(page)).toContainText("Faster machines until noon.");
  }
  expect([await atTable(".board"), await atTable(".table-actions")]).toEqual(before);
  await chidi.page.getByRole("button", { name: "Menu" }).click();
  await expect(chidi.page.getByRole("dialog", { name: "Menu" })).toContainText("Faster machines until noon.");
  closeRobots(robots);
  await visitor.goto("/");
  await expect(findBanner(visitor)).toContainText("Faster machines until noon.");
  await ada.page.getByRole("button", { name: "Create Match" }).click();
  await expect(findToast(ada.page, "Maintenance")).toContainText("No new games or deposits at the moment.");
  await expectAccessible(ada.page, "maintenance is on");
  await ada.page.reload();
  await expect(findBanner(ada.page)).toBeVisible();
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await owner.page.route("**/api/admin/maintenance", async (route) => {
    await isAnswered;
    await route.continue();
  });
  await part.getByRole("button", { name: "End Maintenance" }).click();
  await expect(part.getByRole("button", { name: "Ending..." })).toBeFocused();
  await expect(part.getByRole("button", { name: "Change the Notice" })).toHaveAttribute("aria-disabled", "true");
  answer();
  for (const page of [owner.page, ada.page]) await expect(findBanner(page)).toHaveCount(0);
  await expect(field).toBeFocused();
});

// [ADMIN-49 §6] Staff choose the result of a report themselves: none is preselected, and without one the report is
// not ended.
test("a reported game is cancelled with a reason for both players and the report is closed [ADMIN-49]", async ({
  newPlayer,
  newOwner,
  arena,
}) => {
  const [ada, bola, owner] = [await newPlayer("ada"), await newPlayer("bola"), await newOwner()];
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  await robots[1].send({ type: "chat", gameId, text: "the board is stuck" });
  const told = { gameId, playerId: null, reason: "fault", text: "Nothing moves" };
  const headers = { origin: arena.url };
  expect((await ada.context.request.post(`${arena.url}/api/reports`, { data: told, headers })).ok()).toBe(true);

  const { page } = owner;
  await page.goto("/admin/reports");
  const row = page.getByRole("listitem").filter({ hasText: ada.username });
  await expect(row).toContainText("Nothing moves");
  await row.getByRole("button", { name: "Read the chat" }).click();
  const chat = page.getByRole("dialog", { name: "Chat of the Game" });
  await expect(chat.getByText("the board is stuck")).toBeVisible();
  await chat.getByRole("button", { name: "Close" }).click();

  await row.getByRole("button", { name: "Cancel the game" }).click();
  await act(page, "Cancel the Game?", "Reason", "The board froze", "Cancel Game");
  for (const player of [ada, bola]) {
    await expect(findToast(player.page, "Game Cancelled")).toContainText("The reason: The board froze");
    await player.page.goto(`/game/${gameId}`);
    await expect(player.page.getByText("both entries refunded. Reason: The board froze")).toBeVisible();
  }
  await expect(row.getByRole("button", { name: "Cancel the game" })).toHaveCount(0);
  await row.getByRole("button", { name: "End report" }).click();
  const ending = page.getByRole("dialog", { name: "End the Report?" });
  const result = ending.getByLabel("Result");
  await ending.getByLabel("What you found").fill("Something");
  await ending.getByRole("button", { name: "End Report" }).click();
  await expect(result).toHaveAccessibleDescription("Please choose the result.");
  await expect(result).toBeFocused();
  await expectAccessible(page, "a report without a result");
  await result.selectOption({ label: "We acted" });
  await expect(result).toHaveAccessibleDescription("");
  await ending.getByLabel("What you found").fill("");
  await act(page, "End the Report?", "What you found", "A fault of ours", "End Report");
  await expect(findToast(ada.page, "Your report has been answered")).toContainText("taken action");
  await page.getByRole("tab", { name: "Ended" }).click();
  await expect(row).toContainText("A fault of ours");
  closeRobots(robots);
});

test("a held, then a banned player reads the reason at once, keeps their coins and is released [ADMIN-11]", async ({
  newPlayer,
  newOwner,
}) => {
  const [ada, owner] = [await newPlayer("ada", { isVerified: true }), await newOwner()];
  const { page } = owner;
  await ada.page.goto("/wallet");
  await expect(ada.page.getByRole("button", { name: "₦10,000" })).toBeVisible();
  await ada.page.getByRole("radio", { name: "Withdraw" }).check();
  await openFile(page, ada);
  for (const part of ["Statement", "Payments", "Reports about this player", "Logged in on"]) {
    await page.getByRole("button", { name: part }).click();
  }
  await expect(page.getByText("Opening balance")).toBeVisible();

  await page.getByRole("button", { name: "Hold withdrawals" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("We are looking at your last games with one player.");
  await expectAccessible(page, "holding withdrawals");
  await dialog.getByRole("button", { name: "Hold", exact: true }).click();
  await expect(page.getByText("Withdrawals held.")).toBeVisible();
  const hold = ada.page.getByRole("status").filter({ hasText: "Withdrawals are on hold." });
  await expect(hold).toContainText("Reason: We are looking at your last games with one player.");
  await expect(hold).toContainText("This lasts until we release it.");
  await ada.page.getByLabel("Amount in naira").fill("5000");
  await ada.page.getByRole("button", { name: "Withdraw", exact: true }).click();
  await expect(ada.page.getByRole("alert")).toContainText("Withdrawals are on hold");
  await expectAccessible(ada.page, "withdrawals on hold");
  await page.getByRole("button", { name: "Release withdrawals" }).click();
  await dialog.getByLabel("What you found").fill("Honest games");
  await dialog.getByRole("button", { name: "Release", exact: true }).click();
  await expect(hold).toHaveCount(0);
  await ada.page.getByRole("button", { name: "Withdraw", exact: true }).click();
  await expect(ada.page.getByRole("dialog")).toBeVisible();
  await ada.page.keyboard.press("Escape");
  await ada.page.getByRole("radio", { name: "Deposit" }).check();

  await page.getByRole("button", { name: "Block", exact: true }).click();
  await act(page, "Block the Player?", "Reason", "Insults in the chat.", "Block");
  await expect(page.getByText("Blocked", { exact: true })).toBeVisible();
  const notice = ada.page.getByRole("status").filter({ hasText: "Your account is blocked." });
  await expect(notice).toContainText("Insults in the chat.");
  await expect(ada.page.getByRole("button", { name: "₦10,000" })).toHaveCount(0);
  await ada.page.getByRole("radio", { name: "Withdraw" }).check();
  await expect(ada.page.getByRole("button", { name: "Withdraw", exact: true })).toBeVisible();
  await expectAccessible(ada.page, "blocked");
  await ada.page.goto("/matches");
  await expect(ada.page.getByRole("link", { name: "Create Match" })).toHaveCount(0);
  await expect(notice.getByRole("link", { name: "Contact us" })).toBeVisible();

  await page.getByRole("button", { name: "Unblock" }).click();
  await act(page, "Unblock the Player?", "Reason", "It was somebody else", "Unblock");
  await expect(ada.page.getByRole("link", { name: "Create Match" })).toBeVisible();
});

// [ADMIN-42 §2] A dialog in a player's file does what its button said when it was opened, also after a lost answer.
// What staff wrote about a report stays when another admin ends it.
test("a dialog does only what its button said when it was opened, also after a lost answer [ADMIN-42]", async ({
  newPlayer,
  newOwner,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/, /status of 409/);
  const [ada, bola, owner] = [await newPlayer("ada"), await newPlayer("bola"), await newOwner()];
  const { page } = owner;
  const dialog = page.getByRole("dialog");

  async function sendTwice(route: string, isCarriedOut: boolean): Promise<void> {
    await page.route(
      `**/api/admin/${route}`,
      async (request) => {
        if (isCarriedOut) await request.fetch();
        await request.abort("internetdisconnected");
      },
      { times: 1 },
    );
    await dialog.getByLabel("Reason").fill("Insults in the chat.");
    const submit = dialog.locator("button[type=submit]");
    const reloaded = page.waitForResponse(`**/api/admin/players/${ada.id}`);
    await submit.click();
    await (await reloaded).finished();
    await submit.click();
  }

  await openFile(page, ada);
  for (const { button, route, state } of [
    { button: "Block", route: "bans", state: "Blocked." },
    { button: "Hold withdrawals", route: "holds", state: "Withdrawals held." },
  ]) {
    await page.getByRole("button", { name: button, exact: true }).click();
    await sendTwice(route, true);
    await expect(dialog.getByRole("alert")).toContainText("That's already done.");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByText(state, { exact: true })).toBeVisible();
  }
  await page.getByRole("button", { name: "Unblock" }).click();
  await act(page, "Unblock the Player?", "Reason", "It was somebody else", "Unblock");

  const first = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  await page.reload();
  await page.getByRole("button", { name: "Cancel their game" }).click();
  await first.robots[0].send({ type: "resign", gameId: first.gameId });
  const second = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  await sendTwice("games/cancel", false);
  await expect(dialog.getByRole("alert")).toContainText("This game is over.");
  await second.robots[0].send({ type: "resign", gameId: second.gameId });
  closeRobots([...first.robots, ...second.robots]);
});

test("what staff wrote about a report stays when it leaves the list [ADMIN-42]", async ({
  newPlayer,
  newOwner,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/, /status of 409/);
  const [ada, bola, { page }] = [await newPlayer("ada"), await newPlayer("bola"), await newOwner()];
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  const told = { gameId, playerId: bola.id, reason: "stalling", text: "Waits for minutes" };
  const headers = { origin: arena.url };
  expect((await ada.context.request.post(`${arena.url}/api/reports`, { data: told, headers })).ok()).toBe(true);

  await page.goto("/admin/reports");
  const row = page.getByRole("listitem").filter({ hasText: ada.username });
  await row.getByRole("button", { name: "End report" }).click();
  const dialog = page.getByRole("dialog", { name: "End the Report?" });
  await dialog.getByLabel("Result").selectOption({ label: "Nothing against the rules" });
  await dialog.getByLabel("What you found").fill("Played on at once.");
  await page.route(
    "**/api/admin/reports/end",
    async (request) => {
      await request.fetch();
      await request.abort("internetdisconnected");
    },
    { times: 1 },
  );
  const submit = dialog.getByRole("button", { name: "End Report" });
  await submit.click();
  await expect(row).toHaveCount(0);
  await expect(dialog.getByLabel("What you found")).toHaveValue("Played on at once.");
  await submit.click();
  await expect(dialog.getByRole("alert")).toContainText("Another admin has already ended this report.");
  await robots[0].send({ type: "resign", gameId });
  closeRobots(robots);
});
