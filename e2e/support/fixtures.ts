import { randomBytes } from "node:crypto";
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
  type ViewportSize,
} from "@playwright/test";
import type { TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";
import { type ArenaServer, makeArenaServer } from "./arena-server.ts";
import { type ArenaDatabase, openArenaDatabase } from "./database.ts";
import { openPagePool, type PagePool } from "./page-pool.ts";

export { expect };

export interface Person extends TestPlayer {
  readonly context: BrowserContext;
  readonly page: Page;
}

interface PlayerOptions {
  readonly hc?: number;
  readonly isVerified?: boolean;
}

interface PageOptions extends BrowserContextOptions {
  /**
   * For tests of what is loaded and when: nothing of the site is in the browser's cache. Other
   * pages may have shown the site to an earlier test.
   */
  readonly isFirstVisit?: boolean;
  /**
   * Prefetching costs a third of a page's CPU time and happens at an unknown moment, so only its
   * own tests enable it. Other pages see the browser's Save-Data setting.
   */
  readonly prefetches?: boolean;
  /** Running audio costs CPU time even when silent, so only tests of sounds enable it. */
  readonly isAudible?: boolean;
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
  readonly addPlayer: (name: string, options?: PlayerOptions) => Promise<TestPlayer>;
  readonly newPlayer: (name: string, options?: PlayerOptions & { readonly context?: PageOptions }) => Promise<Person>;
  readonly newOwner: () => Promise<Person>;
  readonly newVisitor: (options?: PageOptions) => Promise<Page>;
  /** A console error fails the test unless one of these matches it. */
  readonly expectedErrors: ExpectedError[];
}

interface ArenaWorkerFixtures {
  /**
   * Set in a spec file to get a server of its own, for tests that change settings of all players or
   * move the clock of tables, which the clock of the process does not follow.
   */
  readonly ownServer: string | null;
  readonly arena: ArenaServer;
  readonly database: ArenaDatabase;
  readonly pagePool: PagePool;
}

/** Console errors of a browser that cannot reach the server. */
export const UNREACHABLE = /ERR_(SOCKS_)?CONNECTION_|ERR_INTERNET_DISCONNECTED|ERR_EMPTY_RESPONSE|WebSocket connection/;
export const PASSWORD = "holo-arena-tests";

/**
 * Every test has empty pages of its own. All tests of a worker share a server, so usernames are
 * unique.
 */
export const test = base.extend<ArenaFixtures, ArenaWorkerFixtures>({
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
      const database = await openArenaDatabase(arena.dataDir);
      await use(database);
      await database.close();
    },
    { scope: "worker" },
  ],
  pagePool: [
    async ({ arena, browser }, use) => {
      const pool = openPagePool(browser, arena.url, async (context) => {
        await context.addInitScript(holdToasts);
        await context.addInitScript(turnOnSaveData);
        await context.addInitScript(suspendAudio);
      });
      await use(pool);
      await pool.close();
    },
    { scope: "worker" },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern
  expectedErrors: async ({}, use) => {
    await use([]);
  },
  newVisitor: async ({ arena, browser, pagePool, expectedErrors, contextOptions }, use) => {
    const contexts: BrowserContext[] = [];
    const pages: Page[] = [];
    const errors: ConsoleError[] = [];

    async function openFresh({ prefetches, isAudible, ...options }: PageOptions): Promise<Page> {
      const context = await browser.newContext({ baseURL: arena.url, ...options });
      contexts.push(context);
      await context.addInitScript(holdToasts);
      if (!prefetches) await context.addInitScript(turnOnSaveData);
      if (!isAudible) await context.addInitScript(suspendAudio);
      return await context.newPage();
    }

    async function lend(viewport: ViewportSize | undefined | null): Promise<Page> {
      const page = await pagePool.lend(JSON.stringify(contextOptions));
      pages.push(page);
      if (viewport) await page.setViewportSize(viewport);
      return page;
    }

    await use(async ({ isFirstVisit = false, viewport, ...others } = {}) => {
      const isUsual = !isFirstVisit && Object.keys(others).length === 0;
      const page = isUsual ? await lend(viewport) : await openFresh({ ...(viewport && { viewport }), ...others });
      collectErrors(page, errors);
      page.context().on("page", (opened) => collectErrors(opened, errors));
      return page;
    });
    await Promise.all([...contexts.map((context) => context.close()), ...pages.map(pagePool.takeBack)]);
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
 * error. `expected` are allowed log lines, such as alerts to staff.
 */
export function auditAfterwards(expected: readonly RegExp[] = []): void {
  test.afterAll(async ({ arena, database }) => {
    expect(await database.audit()).toBeNull();
    const faults = arena.takeLoggedErrors().filter((line) => !expected.some((pattern) => pattern.test(line)));
    expect(faults, "errors in the server's log").toEqual([]);
  });
}

async function logIn(page: Page, player: TestPlayer, url: string): Promise<Person> {
  const context = page.context();
  const [name = "", value = ""] = player.cookie.split("=");
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
  return { ...player, context, page };
}

/**
 * Toasts stay until they are dismissed or replaced, as under a pointer: a test on a busy machine
 * may look at a page seconds after its toast came.
 */
function holdToasts(): void {
  const hold = () => {
    for (const toast of document.querySelectorAll(".toast")) {
      toast.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    }
  };
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    if (!added.some((node) => node instanceof Element && node.matches(".toast, .toasts"))) return;
    hold();
    // A toast that moved to a dialog is released once after it came.
    setTimeout(hold, 500);
  }).observe(document, { childList: true, subtree: true });
}

function turnOnSaveData(): void {
  if ("connection" in navigator) Object.defineProperty(navigator.connection, "saveData", { value: true });
}

/** As during a call. */
function suspendAudio(): void {
  const Audio = window.AudioContext;
  window.AudioContext = class extends Audio {
    constructor(options?: AudioContextOptions) {
      super(options);
      void super.suspend();
    }
    override async resume(): Promise<void> {}
  };
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
