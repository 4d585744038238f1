import { randomBytes } from "node:crypto";
import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import type { TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";
import { type ArenaServer, makeArenaServer } from "./arena-server.ts";
import { type ArenaDatabase, openArenaDatabase } from "./database.ts";

export { expect };

/** A logged-in player with a browser context of their own. */
export interface Person extends TestPlayer {
  readonly context: BrowserContext;
  readonly page: Page;
}

interface PlayerOptions {
  /** Opening balance in whole holocoins. */
  readonly hc?: number;
  /** Whether the email is verified. */
  readonly isVerified?: boolean;
}

/**
 * A pattern of console errors such as "status of 401 (Unauthorized) (http://…/api/login)", of any
 * page or of one.
 */
type ExpectedError = RegExp | { readonly page: Page; readonly pattern: RegExp };

interface ConsoleError {
  readonly page: Page;
  readonly text: string;
}

interface ArenaFixtures {
  /** Adds a player for whom only a robot plays: a page costs half a second of CPU time. */
  readonly addPlayer: (name: string, options?: PlayerOptions) => Promise<TestPlayer>;
  /** Adds a player and logs them in, on an empty page. */
  readonly newPlayer: (
    name: string,
    options?: PlayerOptions & { readonly context?: BrowserContextOptions },
  ) => Promise<Person>;
  /** Logs the CEO in, without coins. */
  readonly newOwner: () => Promise<Person>;
  /** Opens a page in a new context without a session. */
  readonly newVisitor: (options?: BrowserContextOptions) => Promise<Page>;
  /** A console error fails the test unless one of these matches it. */
  readonly expectedErrors: ExpectedError[];
}

interface ArenaOptions {
  /**
   * Whether pages see the browser's Save-Data setting and prefetch nothing. Prefetching costs a
   * third of a page's CPU time and happens at an unknown moment, so only its own tests turn it on.
   */
  readonly savesData: boolean;
}

interface ArenaWorkerFixtures {
  /**
   * Set in a spec file to get a server of its own, for tests that change settings of all players or
   * move the clock of tables, which the clock of the process does not follow.
   */
  readonly ownServer: string | null;
  readonly arena: ArenaServer;
  readonly database: ArenaDatabase;
}

/** Console errors of a browser that cannot reach the server. */
export const UNREACHABLE = /ERR_CONNECTION_|ERR_INTERNET_DISCONNECTED|ERR_EMPTY_RESPONSE|WebSocket connection/;
export const PASSWORD = "holo-arena-tests";

/** Every test has its own pages. All tests of a worker share a server, so usernames are unique. */
export const test = base.extend<ArenaFixtures & ArenaOptions, ArenaWorkerFixtures>({
  savesData: [true, { option: true }],
  ownServer: [null, { option: true, scope: "worker" }],
  arena: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern
    async ({}, use) => {
      const arena = await makeArenaServer();
      await arena.start();
      await use(arena);
      await arena.remove();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  database: [
    async ({ arena }, use) => {
      const database = openArenaDatabase(arena.dataDir);
      await use(database);
      await database.close();
    },
    { scope: "worker" },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern
  expectedErrors: async ({}, use) => {
    await use([]);
  },
  newVisitor: async ({ arena, browser, expectedErrors, savesData }, use) => {
    const contexts: BrowserContext[] = [];
    const errors: ConsoleError[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ baseURL: arena.url, ...options });
      contexts.push(context);
      if (savesData) await context.addInitScript(turnOnSaveData);
      context.on("page", (page) => collectErrors(page, errors));
      return await context.newPage();
    });
    for (const context of contexts) await context.close();
    const unexpected = errors.filter((error) => !expectedErrors.some((expected) => isExpected(error, expected)));
    expect(
      unexpected.map(({ text }) => text),
      "errors in the console",
    ).toEqual([]);
  },
  addPlayer: async ({ database }, use) => {
    await use(async (name, { hc = 500, isVerified = false } = {}) => {
      const player = await database.addPlayer(`${name}-${randomBytes(4).toString("hex")}`, PASSWORD);
      if (hc > 0) await database.addCoins(player.id, hc);
      if (isVerified) await database.verify(player.id);
      return player;
    });
  },
  newPlayer: async ({ arena, newVisitor, addPlayer }, use) => {
    await use(async (name, { context = {}, ...options } = {}) => {
      const page = await newVisitor(context);
      return await logIn(page, await addPlayer(name, options), arena.url);
    });
  },
  newOwner: async ({ arena, newVisitor, database }, use) => {
    await use(async () => await logIn(await newVisitor(), await database.addOwner(PASSWORD), arena.url));
  },
});

/**
 * Call once per spec file: after its tests, the audit must pass and the server's log must hold no
 * error.
 * @param expected patterns of log lines that are allowed, such as alerts to staff
 */
export function auditAfterwards(expected: readonly RegExp[] = []): void {
  test.afterAll(async ({ arena, database }) => {
    expect(await database.audit()).toBeNull();
    const faults = arena.takeLoggedErrors().filter((line) => !expected.some((pattern) => pattern.test(line)));
    expect(faults, "errors in the server's log").toEqual([]);
  });
}

/** Sets the session cookie of a player. */
async function logIn(page: Page, player: TestPlayer, url: string): Promise<Person> {
  const context = page.context();
  const [name = "", value = ""] = player.cookie.split("=");
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
  return { ...player, context, page };
}

/** Runs in the page. */
function turnOnSaveData(): void {
  if ("connection" in navigator) Object.defineProperty(navigator.connection, "saveData", { value: true });
}

function isExpected({ page, text }: ConsoleError, expected: ExpectedError): boolean {
  if (expected instanceof RegExp) return expected.test(text);
  return expected.page === page && expected.pattern.test(text);
}

function collectErrors(page: Page, errors: ConsoleError[]): void {
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    errors.push({ page, text: `${message.text()} (${message.location().url})` });
  });
  page.on("pageerror", (error) => errors.push({ page, text: String(error) }));
}
