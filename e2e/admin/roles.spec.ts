import type { Route } from "@playwright/test";
import { expectDenied, findPart, REVENUE_PAGE } from "../support/admin.ts";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, PASSWORD, test } from "../support/fixtures.ts";

auditAfterwards();

// [HEAD-02 §2,6 r25] Only admins see the link 'Admin' to /admin/revenue, on phones in the menu. /admin leads there.
// [ADMIN-02 §2,6 r25] Admin Management can be expanded, lists the admins, and adds and removes addresses.
// [ERR-34 §8 r25] 'Failed to add admin email' and 'Failed to remove admin email' give the reason. Success is also
// shown.
test("an added admin gets the page, a removed one is denied [HEAD-02 ADMIN-02 ADMIN-03 ERR-48 ERR-34 ROLE-07]", async ({
  newPlayer,
  newOwner,
  expectedErrors,
}) => {
  const owner = await newOwner();
  const amaka = await newPlayer("amaka", { hc: 0, isVerified: true });
  expectedErrors.push(
    { page: owner.page, pattern: /status of 4(09|22).*\/api\/admin\/admins\)/ },
    // Requests in progress when she is removed.
    { page: amaka.page, pattern: /status of 403.*\/api\/admin\// },
  );
  await amaka.page.goto(REVENUE_PAGE);
  await expectDenied(amaka.page);

  await owner.page.goto("/");
  await owner.page.getByRole("link", { name: "Admin" }).click();
  const list = findPart(owner.page, "Admin Management");
  await expect(list.getByRole("listitem").first()).toHaveText(`${owner.email}CEO`);
  const field = list.getByLabel("Admin's email");
  const password = list.getByLabel("Your password");
  for (const wrong of ["", "amaka.example.com"]) {
    await field.fill(wrong);
    await list.getByRole("button", { name: "Add Admin" }).click();
    await expect(field).toHaveAccessibleDescription("Please enter a valid email");
    await expect(field).toBeFocused();
  }
  await field.fill(owner.email);
  for (const [wrong, text] of [
    ["", "Please enter your password."],
    ["something else", "Wrong password."],
  ] as const) {
    await password.fill(wrong);
    await list.getByRole("button", { name: "Add Admin" }).click();
    await expect(password).toHaveAccessibleDescription(text);
    await expect(password).toBeFocused();
  }
  const refusal = Promise.withResolvers<void>();
  const isRefused = Promise.withResolvers<void>();
  const slow = async (route: Route) => {
    const response = await route.fetch();
    isRefused.resolve();
    await refusal.promise;
    await route.fulfill({ response });
  };
  await owner.page.route("**/api/admin/admins", slow, { times: 1 });
  await password.fill("something else");
  await list.getByRole("button", { name: "Add Admin" }).click();
  await isRefused.promise;
  await password.fill(PASSWORD);
  refusal.resolve();
  await expect(list.getByRole("button", { name: "Add Admin" })).toBeVisible();
  await expect(password, "the refusal is about another password").toHaveAccessibleDescription(
    "This confirms that it's you.",
  );
  await list.getByRole("button", { name: "Add Admin" }).click();
  await expect(list.getByRole("alert")).toHaveText("Failed to add admin email: That email is already on the list.");
  await expect(field).toHaveValue(owner.email);
  await field.fill(amaka.email);
  await list.getByRole("button", { name: "Add Admin" }).click();
  await expect(list.getByRole("listitem").nth(1)).toContainText(amaka.username);
  await password.fill(PASSWORD);
  await field.fill("nobody@example.com");
  await field.press("Enter");
  await expect(list.getByRole("listitem").nth(2)).toContainText("No account with this email yet");

  await expect(amaka.page.getByRole("heading", { name: "Revenue", exact: true })).toBeVisible();
  await expect(amaka.page.getByRole("link", { name: "Admin" })).toBeVisible();
  await expect(findPart(amaka.page, "Admin Management").getByRole("listitem").nth(1)).toContainText("You");
  await expect(findPart(amaka.page, "What players are owed")).toBeVisible();
  for (const part of ["Admin Wallet", "Settings"]) await expect(findPart(amaka.page, part)).toHaveCount(0);

  await amaka.page.setViewportSize({ width: 390, height: 844 });
  await amaka.page.getByRole("button", { name: "Menu" }).click();
  const menu = amaka.page.getByRole("dialog", { name: "Menu" });
  await expect(menu.getByRole("link", { name: "Admin" })).toBeVisible();
  await menu.getByRole("button", { name: "Close" }).click();

  await list.getByRole("button", { name: `Remove ${amaka.email}` }).click();
  const dialog = owner.page.getByRole("dialog", { name: "Remove Admin?" });
  await expectAccessible(owner.page, "an admin is to be removed");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expectDenied(amaka.page);
});
