import type { Page } from "@playwright/test";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { chooseTerms } from "../support/steps.ts";

// This test moves the clock of tables.
test.use({ ownServer: "moved clock" });
auditAfterwards();

/** For a page whose clock is installed: its time passes faster, as it looks every few seconds. */
async function passTimeUntil(page: Page, holds: () => boolean | Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.fastForward(1_000);
      return await holds();
    })
    .toBe(true);
}

// [MATCH-28 §2 r38,42] An open invitation says within seconds that its inviter has been away from the site for a
// minute, and that they are back on any page; only then can the friend join.
test("a friend sees that the inviter has gone and is back, and joins then [MATCH-28]", async ({ newPlayer, arena }) => {
  const [ada, bola] = [await newPlayer("ada"), await newPlayer("bola")];
  await ada.page.goto("/create-match");
  await chooseTerms(ada.page, { game: "Checkers", stake: "5", minutes: "5" });
  await ada.page.getByRole("radio", { name: "A friend" }).check();
  await ada.page.getByRole("button", { name: "Create Match" }).click();
  await ada.page.waitForURL(/\/game\/[0-9a-f-]{36}$/);
  const gamePage = ada.page.url();
  const link = await ada.page.getByRole("region", { name: "Invite a friend" }).getByRole("status").innerText();

  const frames: string[] = [];
  bola.page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => frames.push(String(payload))));
  const receive = (frame: RegExp) => expect.poll(() => frames.some((received) => frame.test(received))).toBe(true);
  await bola.page.clock.install();
  await bola.page.goto(link);
  const main = bola.page.getByRole("main");
  const join = main.getByRole("button", { name: "Join Match (60.00 coins + 4.44 fee)" });
  const away = main.getByText(`${ada.username} is away right now. Keep this page open`);
  await expect(join).toBeEnabled();
  await receive(/^\{"type":"table".*"awaySinceAt":\[null,/);
  const asked: string[] = [];
  bola.page.on("request", (request) => request.url().includes("/api/invitations/") && asked.push(request.url()));
  const countTables = () => frames.filter((frame) => frame.startsWith('{"type":"table"')).length;
  const before = countTables();
  // The request of the first probe would precede the second.
  await passTimeUntil(bola.page, () => countTables() > before + 1);
  expect(asked, "while the inviter is at the table").toEqual([]);
  await ada.page.goto("about:blank");
  // Her minute begins when the server notices that she has gone.
  await receive(/^\{"type":"presence".*"seat":1,"sinceAt":\d/);
  await arena.advanceTables(61_000);
  await passTimeUntil(bola.page, () => away.isVisible());
  await expect(join).toBeDisabled();
  // On any page she can be called to the table, where she is not yet.
  await ada.page.goto("/");
  await passTimeUntil(bola.page, () => away.isHidden());
  await join.click();
  await bola.page
    .getByRole("dialog", { name: "Transaction Fee" })
    .getByRole("button", { name: "Accept & Join" })
    .click();
  await expect(bola.page).toHaveURL(new URL(gamePage).pathname);
});
