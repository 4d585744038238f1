import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { MAIL_COLORS } from "../../apps/server/src/platform/mail/mail-content.ts";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { openCheckout } from "../support/payments.ts";
import { createMatch } from "../support/steps.ts";

auditAfterwards();

// [WHAT-07 §1 r24] Registration states that the player is 18 or older, and so does the footer of every page that has
// one.
// [WHAT-08 §1,2] Footer and Contact give the support hours: Mon-Fri 9AM-5PM.
test("the footer leads to the information pages, each with a way back and current figures [WHAT-02 WHAT-07 WHAT-08]", async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  await page.goto("/matches");
  await expect(page.getByRole("contentinfo")).toContainText("18+ only. Support Mon-Fri 9AM-5PM");
  for (const [link, title, told] of [
    ["About", "About", "fee of 7.4% of each stake"],
    ["Terms of Service", "Terms of Service", "64.44 HC"],
    ["Privacy Policy", "Privacy Policy", "never see or keep your card number"],
    ["Fair Play", "Fair Play", "They wait 72 hours at most"],
    ["Contact", "Contact", "Mon-Fri 9AM-5PM"],
  ] as const) {
    await page.getByRole("contentinfo").getByRole("link", { name: link, exact: true }).click();
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
    await expect(page.getByRole("main")).toContainText(told);
    await page.getByRole("button", { name: "Back" }).click();
    await expect(page.getByRole("heading", { name: "Matches", level: 1 })).toBeVisible();
  }
});

// [LOGIN-01 §2] Login asks for e-mail and password and links to 'Forgot your password?', 'Sign up', the terms and the
// privacy policy. The typed password can be shown.
test("login and registration link to the terms and the privacy policy [LOGIN-01]", async ({ newVisitor }) => {
  const page = await newVisitor();
  const main = page.getByRole("main");
  const expectLinks = async () => {
    await expect(main.getByRole("link", { name: "Terms of Service" })).toHaveAttribute("href", "/terms");
    await expect(main.getByRole("link", { name: "Privacy Policy" })).toHaveAttribute("href", "/privacy");
  };
  await page.goto("/login");
  await expectLinks();
  await page.getByRole("link", { name: "Sign up" }).click();
  await expect(page).toHaveURL("/register");
  await expect(main.getByRole("button", { name: "Create Account" })).toBeVisible();
  await expectLinks();
});

// [TEXT-01 §2] About, Terms and Privacy are text pages with a Back button.
test("Back leads home if the page was opened first [TEXT-01]", async ({ newVisitor }) => {
  const page = await newVisitor();
  await page.goto("/terms");
  await page.evaluate(() => Object.defineProperty(history, "length", { value: 1 }));
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page.getByRole("heading", { name: "Stake with HC Coins" })).toBeVisible();
});

// [CONT-01 §2] Contact has a card for e-mail, one for live chat that opens a messaging link, and one that links to
// the questions.
// [CONT-03 §2] The page answers frequent questions and common issues.
test("the contact form requires four fields and opens the messaging app with the message [WHAT-06 CONT-01 CONT-03]", async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  await page.goto("/contact");
  await expect(page.getByRole("link", { name: "support@example.com" })).toHaveAttribute(
    "href",
    "mailto:support@example.com",
  );
  await expect(page.getByRole("link", { name: "Start a chat" })).toHaveAttribute("href", /\/api\/support-stand-in$/);
  await expect(page.getByRole("link", { name: "Read the answers" })).toHaveAttribute("href", "#faq");
  await expect(page.getByRole("heading", { name: "Common issues" })).toBeVisible();
  await page.getByText("What does a match cost?").click();
  await expect(page.getByText("costs 12.89 HC; its winner receives 24.00 HC")).toBeVisible();

  await page.getByRole("button", { name: "Send Message" }).click();
  for (const fault of [
    "Please enter your name",
    "Please enter your email address",
    "Please enter a subject",
    "Please enter a message",
  ]) {
    await expect(page.getByText(fault)).toBeVisible();
  }
  await expect(page.getByLabel("Name")).toBeFocused();
  await expectAccessible(page, "the contact form with its faults");

  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Subject").fill("My deposit");
  await page.getByLabel("Message", { exact: true }).fill("Where is it?");
  const opened = page.context().waitForEvent("page");
  await page.getByRole("button", { name: "Send Message" }).click();
  const support = await opened;
  await expect(support.getByRole("heading", { name: "There is no support in development" })).toBeVisible();
  const link = new URL(support.url());
  expect(link.searchParams.get("text")).toBe("My deposit\n\nWhere is it?\n\nAda, ada@example.com");
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("");
  await expect(page.getByText("Please enter a message")).toHaveCount(0);
});

function readColors(page: Page, theme: string, names: readonly string[]): Promise<Readonly<Record<string, string>>> {
  return page.evaluate(
    ([wanted, tokens]) => {
      document.documentElement.dataset.theme = wanted;
      const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
      const toHex = (color: string): string => {
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [...channels] = canvas.getImageData(0, 0, 1, 1).data.slice(0, 3);
        return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
      };
      const styles = getComputedStyle(document.documentElement);
      return Object.fromEntries(tokens.map((name) => [name, toHex(styles.getPropertyValue(`--${name}`))]));
    },
    [theme, names] as const,
  );
}

function recordThemes(): void {
  const themes: [theme: string | undefined, isPainted: boolean][] = [];
  const record = () => themes.push([document.documentElement.dataset.theme, document.body !== null]);
  new MutationObserver(record).observe(document, { subtree: true, attributeFilter: ["data-theme"] });
  Object.assign(window, { themes });
}

// [SITE-12 §2] The page is light or dark as the device, from the first paint on and when the device changes, until
// the player uses the switch. The choice then stays on this device.
test("the theme is the device's until the player switches, and mails and the Android app have its colours [SITE-12]", async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  const themeColor = page.locator('meta[name="theme-color"]');
  await page.goto("/terms");
  const palette = async (theme: string) => {
    const names = ["ground", "surface-1", "line", "ink", "ink-2", "ice"];
    const [ground, surface, line, ink, inkSoft, link] = Object.values(await readColors(page, theme, names));
    return { ground, surface, line, ink, inkSoft, link };
  };
  const hues = ["foil-1", "foil-2", "foil-3", "foil-4", "foil-5"];
  const others = await readColors(page, "night", [...hues, "on-foil", "sq-light", "sq-dark"]);
  const foilBorder = (await readColors(page, "day", ["foil-border"]))["foil-border"];
  expect(MAIL_COLORS).toEqual({
    day: await palette("day"),
    night: await palette("night"),
    foil: hues.map((hue) => others[hue]),
    onFoil: others["on-foil"],
    foilBorder,
    squares: [others["sq-light"], others["sq-dark"]],
  });
  const app = await readFile("apps/android/res/values/colors.xml", "utf8");
  const color = (name: string): string => new RegExp(`name="${name}">(#\\w+)<`).exec(app)?.[1] ?? "";
  await expect(themeColor).toHaveAttribute("content", color("ground"));

  await page.emulateMedia({ colorScheme: "light" });
  await expect(themeColor).toHaveAttribute("content", color("paper"));
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(themeColor).toHaveAttribute("content", color("ground"));
  await page.emulateMedia({ colorScheme: "light" });
  await page.addInitScript(recordThemes);
  await page.reload();
  await expect(page.getByRole("button", { name: "Switch to dark mode" })).toBeVisible();
  await expect(themeColor).toHaveAttribute("content", color("paper"));
  const painted = await page.evaluate(() => (window as unknown as { themes: [string, boolean][] }).themes);
  expect(painted, "set once, before the first paint").toEqual([["day", false]]);
  await page.getByRole("button", { name: "Switch to dark mode" }).click();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.emulateMedia({ colorScheme: "light" });
  await page.reload();
  await expect(page.getByRole("button", { name: "Switch to light mode" })).toBeVisible();
  await expect(themeColor).toHaveAttribute("content", color("ground"));
  await page.getByRole("button", { name: "Switch to light mode" }).click();
  await expect(themeColor).toHaveAttribute("content", color("paper"));
});

/** What browsers leave out at addresses such as http://192.168.1.7:3000. */
function leaveOutSecureFeatures(): void {
  for (const name of [
    "clipboard",
    "credentials",
    "locks",
    "mediaDevices",
    "serviceWorker",
    "share",
    "storage",
    "wakeLock",
  ]) {
    Reflect.deleteProperty(Navigator.prototype, name);
  }
  for (const name of ["randomUUID", "subtle"]) Reflect.deleteProperty(Crypto.prototype, name);
  for (const name of ["caches", "cookieStore"]) Reflect.deleteProperty(window, name);
  Object.defineProperty(window, "isSecureContext", { value: false });
}

// [SITE-45 §2] At an address without https, such as one of the local network, a player can stake and deposit. The
// page says what does not work there: notifications, practice while offline, copying, the check of a record.
test("a page at an address without https stakes and deposits, and says what it lacks [SITE-45]", async ({
  newVisitor,
  addPlayer,
  arena,
}) => {
  const page = await newVisitor({ isFirstVisit: true });
  await page.addInitScript(leaveOutSecureFeatures);
  const [name = "", value = ""] = (await addPlayer("ada")).cookie.split("=");
  await page.context().addCookies([{ name, value, url: arena.url }]);
  await createMatch(page);
  const finding = page.getByRole("dialog", { name: "Finding Match" });
  await expect(finding).toContainText("Notifications need a secure address (https)");
  await finding.getByRole("button", { name: "Cancel" }).click();
  await expect(finding).toBeHidden();
  await expect(page.getByText("This address isn't secure.")).toBeVisible();
  await openCheckout(page, "5000");
});
