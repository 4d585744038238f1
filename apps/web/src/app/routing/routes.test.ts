import { beforeAll, describe, expect, it, test, vi } from "vitest";

beforeAll(() => void vi.stubGlobal("addEventListener", () => undefined));

async function listPaths(flag: "staysDuringGame" | "playersOnly" | "bare"): Promise<readonly string[]> {
  const { ROUTES } = await import("./routes.tsx");
  return ROUTES.filter((route) => route[flag] === true).map(({ path }) => path);
}

describe("the routes", () => {
  // [SITE-05 §2 r21] An active game does not redirect away from itself or from the password reset pages. Login and
  // register redirect logged-in players.
  it("keep the player on the game, login, registration and password pages and on a mailed link's page [SITE-05]", async () => {
    expect(await listPaths("staysDuringGame")).toEqual([
      "/game/:gameId",
      "/login",
      "/register",
      "/verify-email",
      "/forgot-password",
      "/reset-password",
    ]);
  });

  it("send visitors from Create Match, a review and the profile to the login page", async () => {
    expect(await listPaths("playersOnly")).toEqual(["/create-match", "/game/:gameId/review", "/profile"]);
  });

  it("omit the footer for games and their reviews only", async () => {
    expect(await listPaths("bare")).toEqual(["/game/:gameId", "/game/:gameId/review"]);
  });
});

test.each([
  ["#/reset-password", "/reset-password"],
  ["#/reset-password?token=abc", "/reset-password?token=abc"],
  ["#/reset-password/more", null],
  ["#//evil.example", null],
  ["#limits", null],
  ["", null],
])("leads the old address %j to %j [SITE-06]", async (hash, address) => {
  const { parseOldAddress } = await import("./routes.tsx");
  expect(parseOldAddress(hash)).toBe(address);
});
