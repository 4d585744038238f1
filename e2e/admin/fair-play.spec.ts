import { HOUR_MS } from "@holo/kernel/instant.ts";
import { expectDenied, findPart } from "../support/admin.ts";
import { expectAccessible } from "../support/axe.ts";
import { addAdmins, dump, findChecked, openCase, withdrawAll, write } from "../support/fair-play.ts";
import { auditAfterwards, expect, type Person, test } from "../support/fixtures.ts";
import { deposit, findPayment, readReference } from "../support/payments.ts";
import { findToast } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES, startRobotGame } from "../support/tables.ts";

// The clock of tables moves, and each case that holds coins is an alert for staff.
test.use({ ownServer: "moved clock" });
auditAfterwards([/"alert":"(fair_play_\w+|deposit_disputed)"/]);

const findDecision = ({ page }: Person) => findPart(page, "Decision");

// [FAIR-64 §6 r44] Coins that were probably lost on purpose wait as a part of their own, with the day and time on which
// they are sent by themselves; the rest of the withdrawal is sent. The player can write to those who decide.
// [ADMIN-10 §6 r44] Fair Play lists cases, the earliest deadline first, open or ended, each with its kind, its player,
// its coins and the hours left. A case with an appeal to answer is among the open ones.
test("coins of thrown games wait, and are sent by themselves after 72 hours [FAIR-64 ADMIN-10]", async ({
  newPlayer,
  newOwner,
  arena,
  database,
}) => {
  const [dora, ada] = [await newPlayer("dora", { hc: 0 }), await newPlayer("ada", { hc: 100, isVerified: true })];
  await deposit(dora.page, "200,000");
  await dump({ arena, database }, dora, ada, 5);
  await withdrawAll({ arena, database }, ada);
  const checked = findChecked(ada.page);
  await expect(checked).toContainText("Pending");
  await expect(ada.page.getByRole("listitem").filter({ hasText: "Completed" }).first()).toBeVisible();
  await expect(checked.getByRole("button", { name: "Cancel withdrawal" })).toHaveCount(0);
  await checked.getByRole("button", { name: "Write to us" }).click();
  await write(ada.page, "What would you like to add?", "Dora is my sister.", "Send");
  await expect(findToast(ada.page, "Sent")).toBeVisible();
  await expect(checked.getByRole("button", { name: "Write again" })).toBeVisible();
  await expectAccessible(ada.page, "a withdrawal that is checked");

  const owner = await newOwner();
  const { page } = owner;
  await page.goto("/admin/reports");
  // The footer links to a page of the same name.
  await page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: "Fair Play" }).click();
  const row = page.getByRole("listitem").filter({ hasText: ada.username });
  for (const text of ["Coins moved through games", /\d+ h left/, "The player wrote"])
    await expect(row).toContainText(text);
  await expectAccessible(page, "open cases");
  await row.getByRole("link").click();
  const flow = findPart(page, "Flow of coins");
  await expect(flow.getByRole("img", { name: new RegExp(`from ${dora.username}: 2 players, 5 games`) })).toBeVisible();
  await flow.getByText("As a table").click();
  await expect(flow.getByRole("row").nth(1)).toContainText(ada.username);
  const signals = findPart(page, "Signals");
  await expect(signals).toContainText("5 of 5 losses were given up in positions that weren't lost.");
  await expect(signals).toContainText("Friends who play each other nightly look like this");
  const game = findPart(page, "Games").getByRole("listitem").first();
  await expect(game).toContainText(`${ada.username} won against ${dora.username}`);
  await game.getByRole("button", { name: "Clocks and graph" }).click();
  await expect(game.getByRole("slider", { name: "Move" })).toHaveAttribute("aria-valuetext", /White's chance \d+%$/);
  await expect(game).toContainText("moves of choice, half within");
  const timeline = findPart(page, "Timeline");
  for (const text of [`${dora.username} deposited ₦200,000`, `${ada.username} asked to withdraw`, "Dora is my sister."])
    await expect(timeline).toContainText(text);
  await expectAccessible(page, "an open case");

  await arena.advanceTables(73 * HOUR_MS);
  await ada.page.reload();
  await expect(findChecked(ada.page)).toHaveCount(0);
  await expect(ada.page.getByRole("listitem").filter({ hasText: "Completed" })).toHaveCount(2);
  await page.goto("/admin/fair-play");
  await page.getByRole("tab", { name: "Ended" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: ada.username })).toContainText("Sent by itself");
});

// [FAIR-65 §6 r44] One member clears a case, with what they found: its coins are sent at once.
test("a member clears a case, and its coins are sent [FAIR-65]", async ({
  newPlayer,
  addPlayer,
  newOwner,
  arena,
  database,
}) => {
  const ada = await newPlayer("ada", { hc: 100, isVerified: true });
  await dump({ arena, database }, await addPlayer("dora"), ada);
  await withdrawAll({ arena, database }, ada);
  await expect(findChecked(ada.page)).toBeVisible();
  const owner = await newOwner();
  await openCase(owner, ada);
  await expect(findDecision(owner)).toContainText("you're the only one");
  await findDecision(owner).getByRole("button", { name: "Clear the case" }).click();
  await write(owner.page, "What you found", "", "Clear");
  await expect(owner.page.getByRole("dialog").getByLabel("What you found")).toHaveAccessibleDescription(
    "Please write what you found.",
  );
  await write(owner.page, "What you found", "Sisters, and the games were real.", "Clear");
  await expect(findToast(owner.page, "Cleared")).toBeVisible();
  await expect(findDecision(owner)).toContainText("Cleared by owner");
  await expect(findChecked(ada.page)).toHaveCount(0);
  await expect(ada.page.getByRole("listitem").filter({ hasText: "Completed" })).toHaveCount(2);
});

// [FAIR-66 §6 r44] A forfeit is proposed by one member and confirmed by another: the coins go back to those who lost
// them. The player reads that two people decided it, sees the games, and appeals once, within 14 days. A third member
// answers: an accepted appeal is paid from the platform's revenue.
test("two members forfeit coins, and a third one accepts the player's appeal [FAIR-66]", async ({
  newPlayer,
  addPlayer,
  newOwner,
  arena,
  database,
}) => {
  test.slow();
  const [ada, dora] = [await newPlayer("ada", { hc: 100, isVerified: true }), await addPlayer("dora")];
  const [funke, gbenga, owner] = [
    await newPlayer("funke", { isVerified: true }),
    await newPlayer("gbenga", { isVerified: true }),
    await newOwner(),
  ];
  await addAdmins(owner, funke, gbenga);
  await dump({ arena, database }, dora, ada);
  await withdrawAll({ arena, database }, ada);
  await expect(findChecked(ada.page)).toBeVisible();
  const lost = await database.balance(dora.id);

  await openCase(funke, ada);
  await findDecision(funke).getByRole("button", { name: "Write a note" }).click();
  await write(funke.page, "Note", "All given up on move two.", "Save");
  await expect(findPart(funke.page, "Timeline")).toContainText("All given up on move two.");
  await expect(findDecision(funke)).toContainText(`${dora.username}55.56 HC`);
  await findDecision(funke).getByRole("button", { name: "Propose to forfeit" }).click();
  await expectAccessible(funke.page, "a forfeit is proposed");
  await write(funke.page, "What you found", "Given up in even positions.", "Propose");
  await expect(findDecision(funke)).toContainText("You proposed it. Another member has to confirm it.");
  await expect(findDecision(funke).getByRole("button", { name: "Confirm the forfeit" })).toHaveCount(0);
  await findDecision(funke).getByRole("button", { name: "Withdraw the proposal" }).click();
  await funke.page.getByRole("dialog").getByRole("button", { name: "Withdraw", exact: true }).click();
  await findDecision(funke).getByRole("button", { name: "Propose to forfeit" }).click();
  await write(funke.page, "What you found", "Given up in even positions.", "Propose");

  await openCase(gbenga, ada);
  await expect(findDecision(gbenga)).toContainText(`${funke.username} proposed it: Given up in even positions.`);
  await expect(findDecision(gbenga).getByRole("button", { name: "Clear the case" })).toHaveCount(0);
  await findDecision(gbenga).getByRole("button", { name: "Confirm the forfeit" }).click();
  await expectAccessible(gbenga.page, "a forfeit is confirmed");
  await gbenga.page.getByRole("dialog").getByRole("button", { name: "Forfeit", exact: true }).click();
  await expect(findDecision(gbenga)).toContainText(
    `Proposed by ${funke.username} and confirmed by ${gbenga.username}. Paid back: ${dora.username} 55.56 HC.`,
  );
  expect(Number(await database.balance(dora.id)) - Number(lost)).toBeCloseTo(55.56, 2);

  const decision = findPart(ada.page, "Fair play decision");
  await ada.page.reload();
  await expect(decision).toContainText("Two people decided that 55.56 HC goes back to those who lost it");
  await decision.getByText("The 5 games").click();
  await expect(decision.getByRole("link", { name: new RegExp(dora.username) })).toHaveCount(5);
  await decision.getByRole("button", { name: "Appeal" }).click();
  await write(ada.page, "Why is the decision wrong?", "She had to leave each time.", "Send Appeal");
  await expect(decision).toContainText("Someone new looks at it.");
  await expectAccessible(ada.page, "an appeal that waits");

  await funke.page.reload();
  await expect(findDecision(funke)).toContainText("She had to leave each time.");
  await expect(findDecision(funke)).toContainText("You decided this case. Someone else has to answer the appeal.");
  // The fees of their games pay the appeal.
  await dump({ arena, database }, await addPlayer("emeka", { hc: 1_000 }), await addPlayer("bola", { hc: 1_000 }), 10);
  await owner.page.goto("/admin/fair-play");
  await owner.page.getByRole("listitem").filter({ hasText: "Appeal to answer" }).getByRole("link").click();
  const before = await database.balance(ada.id);
  await findDecision(owner).getByRole("button", { name: "Accept the appeal" }).click();
  await write(owner.page, "Answer", "You were right.", "Accept");
  await expect(findDecision(owner)).toContainText("Accepted by owner: You were right.");
  expect(Number(await database.balance(ada.id)) - Number(before)).toBeCloseTo(55.56, 2);
  await ada.page.reload();
  await expect(decision).toContainText("Your coins are back in your wallet.");
});

// [FAIR-67 §6 r44] A refused appeal is the last word. No one sees a case that concerns them, and players see none.
test("an appeal is refused once and for all, and no one sees a case of their own [FAIR-67]", async ({
  newPlayer,
  newOwner,
  arena,
  database,
  expectedErrors,
}) => {
  const [ada, dora] = [
    await newPlayer("ada", { hc: 100, isVerified: true }),
    await newPlayer("dora", { isVerified: true }),
  ];
  const [funke, owner] = [await newPlayer("funke", { isVerified: true }), await newOwner()];
  expectedErrors.push({ page: dora.page, pattern: /status of (403|404).*\/api\/admin\// });
  await dump({ arena, database }, dora, ada);
  await withdrawAll({ arena, database }, ada);
  await expect(findChecked(ada.page)).toBeVisible();
  await addAdmins(owner, funke);
  await openCase(funke, ada);
  const address = new URL(funke.page.url()).pathname;
  await dora.page.goto(address);
  await expectDenied(dora.page);
  await findDecision(funke).getByRole("button", { name: "Propose to forfeit" }).click();
  await write(funke.page, "What you found", "Given up in even positions.", "Propose");
  await expect(findDecision(funke)).toContainText("You proposed it.");
  await openCase(owner, ada);
  await findDecision(owner).getByRole("button", { name: "Confirm the forfeit" }).click();
  await owner.page.getByRole("dialog").getByRole("button", { name: "Forfeit", exact: true }).click();
  await expect(findDecision(owner)).toContainText("confirmed by owner");

  await ada.page.reload();
  const decision = findPart(ada.page, "Fair play decision");
  await decision.getByRole("button", { name: "Appeal" }).click();
  await write(ada.page, "Why is the decision wrong?", "", "Send Appeal");
  await expect(ada.page.getByRole("dialog").getByLabel("Why is the decision wrong?")).toHaveAccessibleDescription(
    "Please write why the decision is wrong.",
  );
  await write(ada.page, "Why is the decision wrong?", "I just won.", "Send Appeal");
  await expect(decision).toContainText("I just won.");
  const gbenga = await newPlayer("gbenga", { isVerified: true });
  await addAdmins(owner, gbenga);
  await gbenga.page.goto(address);
  await findDecision(gbenga).getByRole("button", { name: "Refuse the appeal" }).click();
  await write(gbenga.page, "Answer", "The games speak for themselves.", "Refuse");
  await expect(findDecision(gbenga)).toContainText(`Refused by ${gbenga.username}`);
  await ada.page.reload();
  await expect(decision).toContainText("The games speak for themselves.");
  await expect(decision).toContainText("The decision stays");
  await expect(decision.getByRole("button", { name: "Appeal" })).toHaveCount(0);
  // Dora is staff now, but the case is about her.
  await addAdmins(owner, dora);
  await dora.page.goto(address);
  await expect(dora.page.getByText("There's no case at this address, or it's about you.")).toBeVisible();
});

// [FAIR-68 §6 r52] A dispute's case shows where the deposit's coins are now and what was paid out. Coins of others wait,
// and are never forfeited.
test("coins of a disputed deposit wait in the winner's withdrawal, and are never forfeited [FAIR-68]", async ({
  newPlayer,
  newOwner,
  arena,
  database,
}) => {
  const [dora, ada] = [await newPlayer("dora", { hc: 0 }), await newPlayer("ada", { hc: 100, isVerified: true })];
  const control = await deposit(dora.page, "20,000");
  await dora.page.goto("/wallet");
  const reference = await readReference(findPayment(dora.page));
  const begun = await startRobotGame(dora, ada, arena.url, FOUR_PLIES);
  await begun.robots[0].send({ type: "resign", gameId: begun.gameId });
  closeRobots(begun.robots);
  await control.decideCharge(reference, "disputed");
  await control.settle();
  const owner = await newOwner();
  await expect(async () => {
    await owner.page.goto("/admin/fair-play");
    const row = owner.page.getByRole("listitem").filter({ hasText: dora.username });
    await expect(row).toContainText("Disputed deposit", { timeout: 2_000 });
    await row.getByRole("link").click();
  }).toPass();
  const where = findPart(owner.page, "Where the coins are");
  await expect(where.getByRole("row").filter({ hasText: ada.username })).toContainText("In the wallet11.11");
  await expect(findDecision(owner)).toContainText("Coins of such a case are never forfeited.");
  await expectAccessible(owner.page, "a disputed deposit");
  await withdrawAll({ arena, database }, ada);
  await expect(findChecked(ada.page)).toBeVisible();
  await owner.page.reload();
  await expect(where.getByRole("row").filter({ hasText: ada.username })).toContainText(
    "In a withdrawal that waits11.11",
  );
  await expect(findDecision(owner)).toContainText(
    `to ${ada.username} now, unless another case holds it. No one's coins wait`,
  );
});
