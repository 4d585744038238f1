import { findChat, findChatButton, findMessages, openChat, writeInChat } from "../support/chat.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { recordSounds } from "../support/sounds.ts";
import { findToast } from "../support/steps.ts";
import { closeRobots, startRobotGame } from "../support/tables.ts";

auditAfterwards();

// [GAME-12 §2] The chat button has a badge with the unread count and opens 'Game Chat', 320 by 384 px. Enter sends,
// and a message is shown once, also in a long chat after a reload.
// [CALL-10 §7 r29] Chat is read in the order of writing. A message from the opponent makes a sound if notifications
// are on.
test("a message reaches the opponent, shows a badge and survives a reload [GAME-12 CALL-10]", async ({
  newPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada", { context: { isAudible: true } });
  const bola = await newPlayer("bola");
  const readSounds = await recordSounds(ada.page);
  const { robots } = await startRobotGame(ada, bola, arena.url, "", { minutes: 10 });
  await openChat(ada.page);
  const place = await findChat(ada.page).boundingBox();
  expect([place?.width, place?.height]).toEqual([320, 384]);
  await writeInChat(ada.page, "Good luck o");
  await writeInChat(ada.page, "No hard feelings", "Shift+Enter");
  await expect(findMessages(ada.page)).toHaveCount(2);
  await expect(findChat(ada.page).getByRole("textbox")).toHaveValue("");

  await expect(findChatButton(bola.page)).toHaveAccessibleName("Chat 2 unread");
  await openChat(bola.page);
  await expect(findChat(bola.page).getByText("2 new")).toBeVisible();
  await expect(findMessages(bola.page)).toHaveText([/^.+: Good luck o \d\d:\d\d$/, /^.+: No hard feelings \d\d:\d\d$/]);
  await expect(findChatButton(bola.page)).toHaveAccessibleName("Chat");
  await writeInChat(bola.page, "Same to you");
  await expect(findMessages(ada.page).last()).toContainText("Same to you");
  await expect(findChatButton(ada.page)).toHaveAccessibleName("Chat");
  await expect.poll(() => readSounds("chat")).toHaveLength(1);
  await ada.page.getByRole("banner").getByRole("button", { name: "Notifications" }).click();
  await writeInChat(bola.page, "Still there?");
  await expect(findMessages(ada.page).last()).toContainText("Still there?");
  expect(await readSounds("chat")).toHaveLength(1);

  await bola.page.keyboard.press("Escape");
  await expect(findChat(bola.page)).toHaveCount(0);
  await expect(findChatButton(bola.page)).toBeFocused();
  await bola.page.reload();
  await expect(findChatButton(bola.page)).toHaveAccessibleName("Chat");
  await openChat(bola.page);
  await expect(findMessages(bola.page)).toHaveCount(4);
  await expect(findChat(bola.page).getByText(/new$/)).toHaveCount(0);
  closeRobots(robots);
});

// [VALID-15 §5] Empty and blank chat messages are not sent.
test("messages are checked before they are sent, and a muted opponent's are hidden [VALID-15 VALID-16 ERR-17]", async ({
  newPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola");
  const { robots } = await startRobotGame(ada, bola, arena.url, "", { minutes: 10 });
  await openChat(ada.page);
  await writeInChat(ada.page, "   ");
  await findChat(ada.page).getByRole("button", { name: "Send" }).click();
  const field = findChat(ada.page).getByRole("textbox");
  await writeInChat(ada.page, "👍".repeat(205));
  await expect(findChat(ada.page).getByText("5 too many")).toBeVisible();
  await expect(field).toHaveValue("👍".repeat(205));
  await writeInChat(ada.page, "👍".repeat(200));
  await expect(findMessages(ada.page)).toHaveText(/^You: (👍){200} \d\d:\d\d$/u);

  await field.fill("a".repeat(159));
  await expect(findChat(ada.page).getByText("/200")).toHaveCount(0);
  await field.fill("👍".repeat(160));
  await expect(findChat(ada.page).getByText("160/200")).toBeVisible();

  await writeInChat(ada.page, "you are a fucking fool");
  await expect(findToast(ada.page, "Message Blocked")).toContainText(
    "Please avoid using abusive or inappropriate language.",
  );
  await expect(field).toHaveValue("you are a fucking fool");
  await expect(findMessages(ada.page)).toHaveCount(1);
  await openChat(bola.page);
  await expect(findMessages(bola.page)).toHaveCount(1);

  await findChat(bola.page)
    .getByRole("button", { name: `Mute ${ada.username}` })
    .click();
  await expect(findChat(bola.page)).toContainText(`You have muted ${ada.username}.`);
  await bola.page.keyboard.press("Escape");
  await writeInChat(ada.page, "can you hear me");
  await expect(findMessages(ada.page)).toHaveCount(2);

  await bola.page.reload();
  await expect(findChatButton(bola.page)).toHaveAccessibleName("Chat");
  await openChat(bola.page);
  await expect(findChat(bola.page)).toContainText(`You have muted ${ada.username}.`);
  await expect(findMessages(bola.page)).toHaveCount(0);
  await findChat(bola.page).getByRole("button", { name: "Unmute" }).click();
  await expect(findMessages(bola.page)).toHaveText([/👍/u, /can you hear me/]);
  closeRobots(robots);
});

// [ERR-47 §8] If the page cannot load whether the opponent is muted, it counts their messages without a sound, and
// asks again until it knows.
test("a message is counted while it is unknown whether the opponent is muted, and sounds once it is known [ERR-47]", async ({
  newPlayer,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 500/);
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola", { context: { isAudible: true } });
  const readSounds = await recordSounds(bola.page);
  let isFailing = true;
  await bola.page.route("**/api/players/*", (route) =>
    isFailing ? route.fulfill({ status: 500, body: "a fault" }) : route.continue(),
  );
  const { robots } = await startRobotGame(ada, bola, arena.url, "", { minutes: 10 });
  await bola.page.getByRole("grid", { name: "Board" }).click();
  await openChat(ada.page);
  await writeInChat(ada.page, "Good luck");
  await expect(findChatButton(bola.page)).toHaveAccessibleName("Chat 1 unread");
  expect(await readSounds("chat")).toHaveLength(0);

  const known = bola.page.waitForResponse((response) => response.url().includes("/api/players/") && response.ok());
  isFailing = false;
  await (await known).finished();
  await writeInChat(ada.page, "Are you there?");
  await expect(findChatButton(bola.page)).toHaveAccessibleName("Chat 2 unread");
  await expect.poll(() => readSounds("chat")).toHaveLength(1);
  closeRobots(robots);
});

// [GAME-63 §2] Six quick messages are one press each: 'Good luck', 'Well played', 'Nice move', 'One moment', 'Thanks' and
// 'Rematch?'. They are messages like others: limited, muted, and what is being written stays.
test("a quick message is one press, limited and muted like any other [GAME-63]", async ({ newPlayer, arena }) => {
  const ada = await newPlayer("ada", { context: { viewport: { width: 360, height: 640 } } });
  const bola = await newPlayer("bola");
  const { robots } = await startRobotGame(ada, bola, arena.url, "", { minutes: 10 });
  closeRobots(robots);
  await openChat(ada.page);
  const field = findChat(ada.page).getByRole("textbox");
  await field.fill("I am");
  const phrases = findChat(ada.page).getByRole("group", { name: "Quick messages" }).getByRole("button");
  await expect(phrases).toHaveText(["Good luck", "Well played", "Nice move", "One moment", "Thanks", "Rematch?"]);
  await phrases.first().click();
  await expect(findMessages(ada.page)).toHaveText(/^You: Good luck \d\d:\d\d$/);
  await expect(findMessages(ada.page)).toBeInViewport({ ratio: 1 });
  await expect(field).toHaveValue("I am");
  await openChat(bola.page);
  await expect(findMessages(bola.page)).toHaveText(/: Good luck \d\d:\d\d$/);

  await findChat(bola.page)
    .getByRole("button", { name: `Mute ${ada.username}` })
    .click();
  await phrases.last().click();
  await expect(findMessages(ada.page)).toHaveCount(2);
  await expect(findMessages(bola.page)).toHaveCount(0);

  // Faster than the limit is restored, however slow the machine is.
  await phrases.nth(1).evaluate((phrase: HTMLElement) => {
    for (let press = 0; press < 8; press += 1) phrase.click();
  });
  await expect(findToast(ada.page, "Slow down")).toBeVisible();
});
