import { randomBytes } from "node:crypto";
import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import type { TestPlayer } from "../apps/server/src/accounts/testing/test-players.ts";
import { type ArenaServer, makeArenaServer } from "./arena-server.ts";
import { type Book, openBook } from "./book.ts";

export { expect };

/** Somebody at a browser of their own, logged in. */
export interface Person {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly context: BrowserContext;
  readonly page: Page;
}

export interface Arrival {
  /** Coins to begin with, in whole holocoins. */
  readonly hc?: number;
  readonly context?: BrowserContextOptions;
  /** Whether they have shown that they read their e-mail. */
  readonly isVerified?: boolean;
}

interface ArenaFixtures {
  /** Lets someone come who has an account and coins: in a browser of their own, logged in, on an empty page. */
  readonly arrive: (name: string, arrival?: Arrival) => Promise<Person>;
  /** Lets the CEO come, without coins. */
  readonly arriveOwner: () => Promise<Person>;
  /** A browser of its own in which nobody is logged in. */
  readonly visit: (options?: BrowserContextOptions) => Promise<Page>;
  /** Errors in a page's console fail its test, except those that match one of these. */
  readonly expectedErrors: RegExp[];
}

interface ArenaWorkerFixtures {
  /** A file that sets it gets a server whose tables' time can be moved. */
  readonly hasTableClock: boolean;
  /** A file that sets it gets a server which no other file has: what it changes holds for everybody there. */
  readonly ownServer: string | null;
  readonly arena: ArenaServer;
  readonly book: Book;
}

/** What a browser says by itself while the server cannot be reached. */
export const UNREACHABLE = /ERR_CONNECTION_|ERR_INTERNET_DISCONNECTED|ERR_EMPTY_RESPONSE|WebSocket connection/;
export const PASSWORD = "holo-arena-tests";

/** Every test gets pages of its own; the server is one for all that a worker runs, so names and games are told apart. */
export const test = base.extend<ArenaFixtures, ArenaWorkerFixtures>({
  hasTableClock: [false, { option: true, scope: "worker" }],
  ownServer: [null, { option: true, scope: "worker" }],
  arena: [
    async ({ hasTableClock }, use) => {
      const arena = await makeArenaServer({ hasTableClock });
      await arena.start();
      await use(arena);
      await arena.remove();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  book: [
    async ({ arena }, use) => {
      const book = openBook(arena.dataDir);
      await use(book);
      await book.close();
    },
    { scope: "worker" },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
  expectedErrors: async ({}, use) => {
    await use([]);
  },
  visit: async ({ arena, browser, expectedErrors }, use) => {
    const contexts: BrowserContext[] = [];
    const errors: string[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ baseURL: arena.url, ...options });
      contexts.push(context);
      context.on("page", (page) => hearErrors(page, errors));
      return await context.newPage();
    });
    for (const context of contexts) await context.close();
    const unexpected = errors.filter((error) => !expectedErrors.some((pattern) => pattern.test(error)));
    expect(unexpected, "errors in the console").toEqual([]);
  },
  arrive: async ({ arena, visit, book }, use) => {
    await use(async (name, { hc = 500, context = {}, isVerified = false } = {}) => {
      const page = await visit(context);
      const player = await book.enrol(`${name}-${randomBytes(4).toString("hex")}`, PASSWORD);
      if (hc > 0) await book.endow(player.id, hc);
      if (isVerified) await book.verify(player.id);
      return await logIn(page, player, arena.url);
    });
  },
  arriveOwner: async ({ arena, visit, book }, use) => {
    await use(async () => await logIn(await visit(), await book.enrolOwner(PASSWORD), arena.url));
  },
});

/**
 * To be called once in a file: after its tests the auditor finds every coin and every game in order.
 * @param expected what may stand in the server's log as an error: where somebody of the house is called, which is no fault
 */
export function auditAfterwards(expected: readonly RegExp[] = []): void {
  test.afterAll(async ({ arena, book }) => {
    expect(await book.audit()).toBeNull();
    const faults = arena.takeFaults().filter((line) => !expected.some((pattern) => pattern.test(line)));
    expect(faults, "errors in the server's log").toEqual([]);
  });
}

/** Gives a browser the session that somebody has begun. */
async function logIn(page: Page, { id, username, email, cookie }: TestPlayer, url: string): Promise<Person> {
  const context = page.context();
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
  return { id, username, email, context, page };
}

function hearErrors(page: Page, errors: string[]): void {
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => errors.push(String(error)));
}
