import type { Page } from "@playwright/test";
import { readShiftsFromNow } from "../support/board.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { connectRobot } from "../support/robot.ts";
import { findCard } from "../support/steps.ts";

auditAfterwards();

// [WHAT-01 §1,2] The home page opens with 'Play game. Set stakes. Win coins.', the headline 'Stake with HC Coins' and
// 'Play Games and Win Holocoins!'.
// [HOME-03 §2] A visitor sees 'Login to Play' and 'Create Account', which link to login and register.
// [HOME-04 §2 r7] 'How It Works' has three cards: Choose Your Stake, Capture & Win and Earn Holocoins.
// [HOME-13 §2] After a visit to another page, the home page shows 'How It Works' and the footer at once.
test("a visitor's home page and wallet offer login [WHAT-01 HEAD-06 HOME-03 HOME-04 HOME-13 WALL-01 WHAT-02]", async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Stake with HC Coins" })).toBeVisible();
  await expect(page.getByText("Play game. Set stakes. Win coins.")).toBeVisible();
  await expect(page.getByText("Play Games and Win Holocoins!")).toBeVisible();
  await expect(page.getByRole("link", { name: "Login to Play" })).toHaveAttribute("href", "/login");
  await expect(page.getByRole("link", { name: "Create Account" })).toHaveAttribute("href", "/register");
  for (const card of ["Choose Your Stake", "Capture & Win", "Earn Holocoins"]) {
    await expect(page.getByRole("heading", { name: card })).toBeVisible();
  }
  await expect(page.getByText("1 Holocoin = ₦306")).toBeVisible();
  await expect(page.getByRole("link", { name: "Start Playing Now" })).toHaveAttribute("href", "/login");
  const header = page.getByRole("banner");
  await expect(header.getByRole("navigation", { name: "Main" }).getByRole("link")).toHaveText([
    "Home",
    "Matches",
    "Leaderboard",
    "Wallet",
    "Practice",
  ]);
  await expect(header.getByRole("link", { name: "Login" })).toHaveAttribute("href", "/login");
  for (const name of ["Notifications", "Logout"]) await expect(header.getByRole("button", { name })).toHaveCount(0);

  await page.getByRole("link", { name: "Wallet" }).first().click();
  await expect(page.getByText(/T\+1 settlement/)).toBeVisible();
  await expect(page.getByText("1 Holocoin = ₦306")).toBeVisible();
  await page.getByRole("button", { name: "₦5,000" }).click();
  await page.getByRole("button", { name: "Deposit ₦5,000" }).click();
  await expect(page.getByRole("alert")).toContainText("Please log in to make a deposit");

  const main = page.getByRole("navigation", { name: "Main" });
  const end = page.getByRole("heading", { name: "How It Works" });
  await main.getByRole("link", { name: "Home" }).click();
  await expect(end).toBeVisible();
  // From now on the browser is never idle, and a return shows the end of the page at once.
  await page.evaluate(() => {
    window.requestIdleCallback = () => 0;
  });
  await main.getByRole("link", { name: "Leaderboard" }).click();
  await expect(page.getByRole("heading", { name: "Leaderboard" })).toBeVisible();
  await main.getByRole("link", { name: "Home" }).click();
  await expect(end).toBeVisible();
  await expect(page.getByRole("contentinfo")).toBeVisible();
});

// [MATCH-04 §2] The tabs are All Matches and My Matches. For visitors the second is disabled and shows 'Please login
// to view your matches'.
// [MATCH-08 §2] A card shows status, stake and payout in coins, white against black, mode and time control, creation
// time and a small board. A phone of 390x844 shows five.
test("visitors see active matches but no pending ones [MATCH-04 MATCH-08 MATCH-13 MATCH-14 CALL-06 ROLE-01]", async ({
  addPlayer,
  arena,
  newVisitor,
}) => {
  const ada = await addPlayer("ada");
  const bola = await addPlayer("bola");
  const chidi = await addPlayer("chidi");
  const robots = await Promise.all([ada, bola, chidi].map((person) => connectRobot(person, arena.url)));
  const [first, second, third] = robots as [(typeof robots)[0], (typeof robots)[0], (typeof robots)[0]];
  const active = await first.create("checkers", 1, 10);
  await second.join(active);
  const pending = await third.create("checkers", 2, 10);

  const page = await newVisitor();
  await page.goto("/matches");
  const card = findCard(page, ada.username);
  await expect(card).toContainText(`${ada.username} vs ${bola.username}`);
  await expect(card).toContainText("Live");
  await expect(card.getByRole("time")).toHaveText(/^(just now|\d min ago)$/);
  await expect(card).toContainText("Checkers, 10 minutes");
  await expect(card).toContainText("12.00 HC");
  await expect(card.locator(".mini-board")).toBeVisible();
  await expect(card.getByRole("link", { name: "Join Game" })).toHaveCount(0);
  await expect(findCard(page, chidi.username)).toHaveCount(0);
  const mine = page.getByRole("tab", { name: "My Matches" });
  await expect(mine).toHaveAttribute("aria-disabled", "true");
  await expect(mine).toHaveAccessibleDescription("Please login to view your matches");
  await expect(page.getByText("Please login to view your matches")).toBeVisible();

  await card.getByRole("button", { name: "View Details" }).click();
  const details = page.getByRole("dialog", { name: "Match Details" });
  await expect(details).toContainText("12.00 HC");
  await expect(details.getByRole("link", { name: "Play Now" })).toHaveCount(0);
  await details.getByRole("link", { name: "Watch" }).click();
  await expect(page.getByRole("grid", { name: "Board" })).toBeVisible();
  for (const act of ["Cancel", "Resign"]) await expect(page.getByRole("button", { name: act })).toHaveCount(0);
  await third.cancel(pending);
  for (const robot of robots) robot.close();
});

test("The previous page stays visible until the next one has loaded, for at most half a second [SITE-09 §2]", async ({
  newVisitor,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/);
  const page = await newVisitor({ prefetches: true });
  let isGone = true;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/terms-page-*.js", (route) => (isGone ? route.fulfill({ status: 404 }) : route.fallback()));
  await page.route("**/privacy-page-*.js", async (route) => {
    await held;
    await route.fallback();
  });
  await page.goto("/about");
  await expect(page.getByText(/^This is version \d+\.\d+\.\d+/)).toBeVisible();
  const loadedAt = await page.evaluate(() => performance.timeOrigin);
  const terms = page.getByRole("contentinfo").getByRole("link", { name: "Terms of Service" });
  const answered = page.waitForResponse(/terms-page-.*\.js/);
  await terms.focus();
  expect((await answered).status()).toBe(404);
  isGone = false;
  await terms.click();
  await expect(page.getByRole("heading", { name: "Terms of Service", level: 1 })).toBeVisible();

  const privacy = page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" });
  const shown = await privacy.evaluate(async (link: HTMLAnchorElement) => {
    // The half second begins after the look, which takes longer on a busy machine.
    const start = window.setTimeout;
    const held: TimerHandler[] = [];
    const hold = (run: TimerHandler, delayMs?: number) => (delayMs === 500 ? -held.push(run) : start(run, delayMs));
    window.setTimeout = hold as typeof window.setTimeout;
    link.click();
    // The second frame comes after a render.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const heading = document.querySelector("h1")?.textContent;
    window.setTimeout = start;
    for (const run of held) start(run, 500);
    return heading;
  });
  expect(shown).toBe("Terms of Service");
  await expect(page).toHaveURL("/privacy");
  await expect(page.getByText("Loading...")).toBeVisible();
  release();
  await expect(page.getByRole("heading", { name: "Privacy Policy", level: 1 })).toBeVisible();
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadedAt);
});

// [SITE-11 §2] Header, page title and, for a table and practice, the board are in the HTML, before any script has
// run. Nothing moves when the page takes over, from 360 to 1440 px, and a press or the focus on a link goes on.
test("the HTML shows header, title and board until the page takes over without a shift [SITE-11]", async ({
  newVisitor,
  newPlayer,
}) => {
  const visitor = await newVisitor({ prefetches: true, viewport: { width: 390, height: 844 } });
  // The page is then shown in the fallback font, whose text is wider.
  const withoutFonts = await newVisitor({ prefetches: true, viewport: { width: 390, height: 844 } });
  await withoutFonts.route("**/*.woff2", () => new Promise(() => undefined));
  const { page: player } = await newPlayer("ada", {
    context: { prefetches: true, viewport: { width: 390, height: 844 } },
  });
  await player.addInitScript(() => localStorage.setItem("holo.was-player", "1"));
  for (const page of [visitor, withoutFonts, player]) {
    let isHeld = true;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/assets/index-*.js", async (route) => {
      if (isHeld) await released;
      await route.fallback();
    });
    const practice = Promise.withResolvers<void>();
    await page.route(/\/practice-[\w-]{8}\.js$/, async (route) => {
      await practice.promise;
      await route.fallback();
    });
    const tab = page.locator(".tab-bar a:visible").last();
    await page.goto("/profile", { waitUntil: "commit" });
    await expect(page.locator("#root[aria-busy] .tab-bar")).toBeVisible();
    await expect(page.locator(".profile-head")).toBeVisible({ visible: page === player });
    await page.goto("/matches", { waitUntil: "commit" });
    await expect(page).toHaveTitle("Matches · Holo Arena");
    await expect(page.locator("#root[aria-busy] h1")).toHaveText("Matches");
    const [whole, partial] = await page.locator(".tab-bar").evaluate(readFirstTab);
    expect(partial).toEqual(whole);
    await page.goto("/", { waitUntil: "commit" });
    await expect(page.locator("#root[aria-busy] h1")).toHaveText("Stake with HC Coins");
    await expect(tab).toHaveText(page === player ? "Profile" : "Login");
    await expect(page.locator(".board-picture")).toBeVisible({ visible: page !== player });
    await page.waitForFunction(isOutlineWhole);
    const outlined = await measureHome(page);
    expect(Object.keys(outlined["1440"]!)).toHaveLength(page !== player ? HOME_PARTS.length : 3);
    const readShifts = await readShiftsFromNow(page);
    isHeld = false;
    release();
    await expect(page.locator("#root[aria-busy]")).toHaveCount(0);
    await expect(page.getByRole("link", { name: page === player ? "Create a Match" : "Login to Play" })).toBeVisible();
    await expect(tab).toHaveText(page === player ? "Profile" : "Login");
    expect(await readShifts()).toEqual([]);
    expect(await measureHome(page)).toMatchObject(outlined);
    if (page === player) continue;
    await expect(page.getByRole("img", { name: "A checkers board before the first move" })).toBeVisible();
    const readPracticeShifts = await readShiftsFromNow(page);
    practice.resolve();
    await expect(page.locator(".practice-status")).toHaveText("Your Turn (White)");
    await expect(page.getByRole("grid", { name: "Board" })).toBeVisible();
    expect(await readPracticeShifts()).toEqual([]);
    expect(await measureHome(page)).toMatchObject(outlined);
  }
});

test("a press and the focus on a link go on when the page takes over [SITE-11]", async ({ newVisitor }) => {
  const page = await newVisitor();
  const link = page.getByRole("banner").getByRole("link", { name: "Leaderboard" });
  const press = { begin: () => page.mouse.down(), end: () => page.mouse.up() };
  const focus = { begin: () => link.focus(), end: () => page.keyboard.press("Enter") };
  for (const { begin, end } of [press, focus]) {
    const session = Promise.withResolvers<void>();
    await page.route("**/api/session", async (route) => {
      await session.promise;
      await route.fallback();
    });
    // By then the scripts have run.
    await page.goto("/about", { waitUntil: "domcontentloaded" });
    await link.hover();
    await begin();
    await expect(page.locator("#root[aria-busy]")).toBeVisible();
    session.resolve();
    await expect(page.locator("#root[aria-busy]")).toHaveCount(0);
    await end();
    await expect(page).toHaveURL("/leaderboard");
    await page.unroute("**/api/session");
  }
});

const HOME_PARTS = [
  ".hero h1",
  ".hero-actions",
  ".live-numbers",
  ".ready-to-play h2",
  ".practice-actions",
  ".practice-board",
  ".practice-status",
  ".ready-to-play .exchange-rate",
  ".ready-to-play .link",
];
const WIDTHS = [360, 390, 412, 430, 768, 1024, 1440];

/** The middle and height of each visible part in windows of these widths. */
async function measureHome(page: Page): Promise<Readonly<Record<string, object>>> {
  const usual = page.viewportSize()!;
  const measured: Record<string, object> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...usual, width });
    measured[width] = await page.evaluate((parts) => {
      const shown = parts.flatMap((part) => {
        const box = document.querySelector(part)?.getBoundingClientRect();
        if (box === undefined || box.height === 0) return [];
        return [[part, `${Math.round(box.y + box.height / 2)}, ${Math.round(box.height)} px high`]];
      });
      return Object.fromEntries(shown);
    }, HOME_PARTS);
  }
  await page.setViewportSize(usual);
  // A resize counts as a shift once its frame is painted.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  return measured;
}

/** The HTML and its style sheets have arrived. The script may be on its way. */
function isOutlineWhole(): boolean {
  const sheets = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
  return document.readyState !== "loading" && [...sheets].every(({ sheet }) => sheet !== null);
}

/** Where the first tab is, and where it was before the HTML after its icon arrived. */
function readFirstTab(bar: Element): readonly (readonly number[][])[] {
  const tabs = [...bar.children];
  const icon = tabs[0]!.querySelector(".icon")!;
  const read = () =>
    [tabs[0]!, icon].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height];
    });
  const whole = read();
  for (const tab of tabs.slice(1)) tab.remove();
  icon.nextSibling!.remove();
  return [whole, read()];
}

// [SITE-02 §2] Any other path shows 'Oops! This move isn't in our playbook.' with links to home and register, and is
// answered with 404. It never scrolls sideways.
test("an unknown path shows the not-found page [SITE-02]", async ({ newVisitor, expectedErrors }) => {
  expectedErrors.push(/status of 404/);
  const page = await newVisitor();
  await page.goto("/nowhere");
  await expect(page.getByRole("heading", { name: "Oops! This move isn't in our playbook." })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Create Account" })).toHaveAttribute(
    "href",
    "/register",
  );
  for (const width of [720, 900, 1100, 1200, 1300]) {
    await page.setViewportSize({ width, height: 720 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await page.getByRole("main").getByRole("link", { name: "Home" }).click();
  await expect(page.getByRole("heading", { name: "Stake with HC Coins" })).toBeVisible();
});

test("The address of an unknown game shows that the game does not exist [SITE-03 §2]", async ({
  newVisitor,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/);
  const page = await newVisitor();
  // Its pieces do not wait for the game, whose type is not known before.
  const chessSet = page.waitForRequest(/chess-classic-.*\.js/);
  for (const id of ["00000000-0000-4000-8000-000000000000", "nonsense"]) {
    await page.goto(`/game/${id}`);
    await expect(page.getByText("There's no game at this address.")).toBeVisible();
  }
  await chessSet;
});

// [SITE-47 §2] On a busy device or a slow network the page is shown in a font of the device with the widths of its
// own ones, and in its own ones as soon as they have come.
test("fonts that come late are used as soon as they come [SITE-47]", async ({ newVisitor }) => {
  const page = await newVisitor({ isFirstVisit: true });
  const isSent = Promise.withResolvers<void>();
  await page.route("**/*.woff2", async (route) => {
    await isSent.promise;
    await route.continue();
  });
  await page.goto("/matches", { waitUntil: "commit" });
  const heading = page.getByRole("heading", { name: "Matches", level: 1 });
  const readWidth = () =>
    heading.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().width;
    });
  await expect(page.locator("#root:not([aria-busy])")).toBeVisible();
  await expect(heading).toBeVisible();
  const before = await readWidth();
  isSent.resolve();
  await expect.poll(readWidth).not.toBe(before);
  // The device's font has nearly the same width.
  expect(Math.abs((await readWidth()) / before - 1)).toBeLessThan(0.2);
});
