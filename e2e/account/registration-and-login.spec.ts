import type { Locator, Page } from "@playwright/test";
import { findSquare, observeShifts } from "../support/board.ts";
import { auditAfterwards, expect, PASSWORD, test } from "../support/fixtures.ts";
import { connectRobot } from "../support/robot.ts";
import { findToast, login, readGameId } from "../support/steps.ts";
import { closeRobots } from "../support/tables.ts";

auditAfterwards();

// [HEAD-04 §2 r3] The link to the profile shows the username and the balance with two decimals, rounded down, at
// every text size.
// [HEAD-06 §2] The header shows Logout to logged-in players and Login to visitors.
// [REG-01 §2 r24,47] Registration asks for username, e-mail and password, shows 'Password must be at least 6
// characters' in advance, and leads to /login with e-mail and password filled in, so that one press logs in. They are
// kept in memory only.
// [CALL-01 §7 r24] Login takes e-mail and password, registration also a username. Logout ends the session.
// [ERR-02 §8] A successful login shows 'Login successful' and 'Welcome back, {name}!', the first login of an account
// 'Welcome, {name}!'.
// [ERR-05 §8 r24] A successful registration shows 'Registration successful' and 'Your account has been created'.
test("a visitor registers, logs in and logs out [HEAD-04 HEAD-06 REG-01 CALL-01 ERR-02 ERR-05]", async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  await page.goto("/");
  await page.getByRole("link", { name: "Create Account" }).click();
  await expect(page.getByText("Password must be at least 6 characters")).toBeVisible();
  const username = `new-${Date.now().toString(36)}`;
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Email").fill(`${username}@example.com`);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(findToast(page, "Registration successful")).toContainText("Your account has been created");
  await expect(page).toHaveURL("/login");
  await expect(page.getByText(`We mailed ${username}@example.com.`)).toContainText(
    "If you already have an account, the email will say so.",
  );
  await expect(page.getByLabel("Email")).toHaveValue(`${username}@example.com`);
  const password = page.getByLabel("Password");
  await expect(password).toHaveValue(PASSWORD);
  const kept = await page.evaluate(() => JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }]));
  expect(kept).not.toContain(PASSWORD);
  await password.focus();
  await expect(password).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await expect(password, "who types goes on typing").toBeFocused();
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(password).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(findToast(page, "Login successful")).toContainText(`Welcome, ${username}!`);
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("link", { name: new RegExp(`${username}.*0\\.00`) })).toBeVisible();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(findToast(page, "Logged out")).toBeVisible();
  await page.getByRole("link", { name: "Login to Play" }).click();
  await expect(password, "the filled-in fields are forgotten").toHaveValue("");
  await page.getByLabel("Email").fill(`${username}@example.com`);
  await password.fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByText(`Welcome back, ${username}!`)).toBeVisible();
});

// [VALID-01 §5] Login with a missing field shows 'Please enter your email and password'.
test("login and registration show what is wrong [VALID-01]", async ({ newVisitor, addPlayer, expectedErrors }) => {
  expectedErrors.push(/status of ((401|500).*\/api\/login|409.*\/api\/register)\)/);
  const { username } = await addPlayer("ada");
  const page = await newVisitor();
  await login(page, "", "");
  await expect(page.getByRole("alert").filter({ hasText: "Login failed" })).toContainText(
    "Please enter your email and password",
  );
  await login(page, `${username}@example.com`, "something else");
  await expect(page.getByRole("alert").filter({ hasText: "Login failed" })).toContainText(
    "Invalid email or password. Please try again.",
  );
  const answer = page.waitForResponse(/\/api\/login$/);
  await login(page, "nobody@example.com", "something else");
  expect((await answer).status()).toBe(401);
  await expect(page.getByRole("alert").filter({ hasText: "Login failed" })).toContainText(
    "Invalid email or password. Please try again.",
  );
  await page.route("**/api/login", (route) => route.fulfill({ status: 500, body: "a fault" }));
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("alert")).toHaveText("Login failed: Something went wrong. Please try again.");
  await page.unroute("**/api/login");

  await page.goto("/register");
  const act = page.getByRole("button", { name: "Create Account" });
  await act.click();
  await expect(page.getByRole("alert").filter({ hasText: "Registration failed" })).toContainText(
    "Please fill in all required fields",
  );
  for (const field of ["Username", "Email", "Password"]) {
    await expect(page.getByLabel(field)).toHaveAccessibleDescription("Please fill in this field");
  }
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Email").fill("somebody@example.com");
  await page.getByLabel("Password").fill("five5");
  await act.click();
  await expect(page.getByText("Password must be at least 6 characters").first()).toBeVisible();
  await page.getByLabel("Password").fill(PASSWORD);
  await act.click();
  await expect(page.getByRole("alert")).toHaveText("Registration failed: That username is taken");
  await expect(page.getByLabel("Username")).toHaveAccessibleDescription("That username is taken");
  await expect(page.locator(".toast")).toHaveCount(0);
  await expect(page).toHaveURL("/register");
});

// [LOGIN-02 §2 r21] After login a player is taken to their active game, else to the page that required the login,
// else home.
// [CREATE-01 §2,6] /create-match redirects visitors to /login.
// [PROF-01 §2,6] /profile redirects visitors to /login.
test("a protected page sends visitors to login and back [LOGIN-02 CREATE-01 PROF-01]", async ({
  newVisitor,
  addPlayer,
}) => {
  const { email } = await addPlayer("ada");
  const page = await newVisitor();
  await page.goto("/create-match");
  await expect(page).toHaveURL("/login");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByRole("link", { name: "Back to Login" }).click();
  await page.getByRole("main").getByRole("link", { name: "Sign up" }).click();
  const username = `new-${Math.random().toString(36).slice(2, 10)}`;
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Email").fill(`${username}@example.com`);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page).toHaveURL("/login");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/create-match");

  await page.context().clearCookies();
  await page.goto("/profile#limits");
  await expect(page).toHaveURL("/login");
  await page.reload();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/profile#limits");
});

/** Holds these requests until the returned function is called. */
async function holdRequests(page: Page, url: RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** What the page shows of a dialog whose script is being loaded. */
function findOpening(page: Page): Locator {
  return page.getByRole("status").filter({ hasText: "Opening..." });
}

// [SITE-10 §2] A player who is logged out while seated at a table sees a message beside the board with a link to log
// in.
test("logging out during a game asks for confirmation and warns [SITE-10 SITE-42]", async ({ newPlayer, arena }) => {
  const ada = await newPlayer("ada", { context: { viewport: { width: 390, height: 844 } } });
  const bola = await newPlayer("bola");
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  await robots[1].join(await robots[0].create("checkers", 5, 10));
  await ada.page.goto("/");
  await readGameId(ada.page);
  const releaseMenu = await holdRequests(ada.page, /menu-sheet.*\.js/);
  await ada.page.getByRole("button", { name: "Menu" }).click();
  await expect(findOpening(ada.page)).toBeVisible();
  await findSquare(ada.page, "c3").click();
  await expect(findOpening(ada.page)).toHaveCount(0);
  releaseMenu();
  await expect(ada.page.getByRole("dialog")).toHaveCount(0);
  await ada.page.getByRole("button", { name: "Menu" }).click();
  await ada.page.getByRole("dialog", { name: "Menu" }).getByRole("button", { name: "Logout" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Log out of a running game?" });
  await expect(dialog).toContainText("so does your clock: you have 10 minutes for the whole game.");
  await expect(dialog).toContainText(
    "Your first move has a limit of 60 seconds. If you miss it, the game is cancelled.",
  );
  await expect(dialog).toContainText("At stake are the 64.44 HC you paid to play.");
  await expect(dialog).toContainText(`${bola.username} receives 120.00 HC.`);
  await dialog.getByRole("button", { name: "Stay" }).click();
  await expect(dialog).toHaveCount(0);

  await bola.page.goto("/");
  await readGameId(bola.page);
  await bola.page.getByRole("banner").getByRole("link", { name: "Wallet" }).click();
  await expect(bola.page).toHaveURL("/wallet");
  const releaseQuestion = await holdRequests(bola.page, /logout-dialog.*\.js/);
  await bola.page.getByRole("button", { name: "Logout" }).click();
  await expect(findOpening(bola.page)).toBeVisible();
  await bola.page.goBack();
  await readGameId(bola.page);
  await expect(findOpening(bola.page)).toHaveCount(0);
  releaseQuestion();
  await expect(bola.page.getByRole("dialog")).toHaveCount(0);
  await bola.page.getByRole("button", { name: "Logout" }).click();
  await bola.page.getByRole("dialog").getByRole("button", { name: "Log out" }).click();
  await expect(findToast(bola.page, "Logged out")).toBeVisible();
  const left = bola.page.getByRole("main");
  await expect(left.getByRole("heading", { name: "You are logged out" })).toBeVisible();
  await expect(left.getByRole("link", { name: "Log in to play" })).toHaveAttribute("href", "/login");
  await expect(ada.page).toHaveTitle(/^Your turn/);
  for (const robot of robots) robot.close();
});

// [SITE-43 §2] A login that ended unnoticed is noticed at the next request: 'You are logged out' says so, and the
// page offers the login, which leads back.
test("a login that ended unnoticed is noticed at the next action, and a new one leads back [SITE-43]", async ({
  newPlayer,
  expectedErrors,
}) => {
  const { page, context, email } = await newPlayer("ada");
  expectedErrors.push(/status of 401/);
  await page.goto("/wallet");
  await page.getByLabel("Amount in naira").fill("5,000");
  // What the page still loads would notice it before the action.
  await page.waitForLoadState("networkidle");
  await context.clearCookies();
  await page.getByRole("button", { name: "Deposit ₦5,000" }).click();
  await expect(findToast(page, "You are logged out")).toContainText("Please log in and try again.");
  await expect(page.getByRole("banner")).not.toContainText("HC");
  await page.getByRole("main").getByRole("link", { name: "Login" }).click();
  await expect(page).toHaveURL("/login");
  await login(page, email);
  await expect(page).toHaveURL("/wallet");
});

// [SITE-04 §2 r21] A player with an active game is taken to it at page load, at login and when it becomes active. A
// player who then leaves stays away and returns with one press.
test("an active game is opened after login, on page load and when it starts [SITE-04 GAME-19 SITE-05 HOME-01]", async ({
  newPlayer,
  addPlayer,
  newVisitor,
  arena,
}) => {
  const [ada, bola] = [await newPlayer("ada"), await addPlayer("bola")];
  const onlooking = ada.page;
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const gameId = await robots[0].create("checkers", 2);
  await onlooking.goto(`/game/${gameId}`);
  await onlooking.getByRole("banner").getByRole("link", { name: "Leaderboard" }).click();
  await expect(onlooking.getByRole("heading", { name: "Leaderboard" })).toBeVisible();
  await robots[1].join(gameId);
  await expect(onlooking).toHaveURL(`/game/${gameId}`);

  await onlooking.goto("/matches");
  await expect(onlooking).toHaveURL(`/game/${gameId}`);
  await onlooking.getByRole("link", { name: "Home" }).first().click();
  await expect(onlooking.getByRole("link", { name: "Rejoin Active Game" })).toBeVisible();
  await onlooking.getByRole("link", { name: "Rejoin Active Game" }).click();
  await expect(onlooking).toHaveURL(`/game/${gameId}`);

  // A link pressed while the game loads is followed.
  for (const held of ["**/api/session", "**/assets/game-page-*.js", "**/assets/index-*.js"]) {
    const release = Promise.withResolvers<void>();
    await onlooking.route(held, async (route) => {
      await release.promise;
      await route.continue();
    });
    await onlooking.goto(`/game/${gameId}`, { waitUntil: "commit" });
    await onlooking.getByRole("banner").getByRole("link", { name: "Leaderboard" }).click();
    await expect(onlooking).toHaveURL("/leaderboard");
    release.resolve();
    await expect(onlooking.getByRole("heading", { name: "Leaderboard" })).toBeVisible();
    await onlooking.unroute(held);
  }

  const elsewhere = await newVisitor();
  await login(elsewhere, bola.email);
  await expect(elsewhere).toHaveURL(`/game/${gameId}`);
  for (const [path, title] of [
    ["/forgot-password", "Forgot Password"],
    ["/reset-password?token=x", "Reset Password"],
  ] as const) {
    await elsewhere.goto(path);
    await expect(elsewhere.getByRole("heading", { name: title })).toBeVisible();
    await expect(elsewhere).toHaveURL(path);
  }
  await elsewhere.setViewportSize({ width: 390, height: 844 });
  await elsewhere.goto("/");
  await expect(elsewhere).toHaveURL(`/game/${gameId}`);
  const readShifts = await observeShifts(elsewhere, { sinceLoad: true });
  expect(await readShifts()).toEqual([]);
  closeRobots(robots);
});
