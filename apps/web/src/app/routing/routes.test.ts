import { beforeAll, describe, expect, it, vi } from "vitest";

/** What a part listens to for styles that cannot be fetched; nothing is fetched here. */
beforeAll(() => void vi.stubGlobal("addEventListener", () => undefined));

async function listPaths(flag: "undisturbed" | "playersOnly" | "bare"): Promise<readonly string[]> {
  const { ROUTES } = await import("./routes.tsx");
  return ROUTES.filter((route) => route[flag] === true).map(({ path }) => path);
}

describe("the pages", () => {
  it("from which an active game calls nobody away are its own, those to log in, register and renew a password, and a mailed link's [SITE-05]", async () => {
    expect(await listPaths("undisturbed")).toEqual([
      "/game/:gameId",
      "/login",
      "/register",
      "/verify-email",
      "/forgot-password",
      "/reset-password",
    ]);
  });

  it("that visitors are sent away from to log in are Create Match and the profile", async () => {
    expect(await listPaths("playersOnly")).toEqual(["/create-match", "/profile"]);
  });

  it("without a footer are games alone", async () => {
    expect(await listPaths("bare")).toEqual(["/game/:gameId"]);
  });
});
