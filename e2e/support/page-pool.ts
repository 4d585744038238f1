import type { Browser, BrowserContext, CDPSession, Page } from "@playwright/test";

/**
 * Lends pages to tests and takes them back empty: loading the site in a used page costs a third of
 * the CPU time of a new context, which lacks a process and compiled scripts.
 */
export interface PagePool {
  /** Only pages of the same `variant` are lent again. */
  lend(variant: string): Promise<Page>;
  takeBack(page: Page): Promise<void>;
  close(): Promise<void>;
}

interface Loan {
  readonly context: BrowserContext;
  readonly variant: string;
  readonly session: CDPSession;
  isChanged: boolean;
}

/** As many as one test opens at once. */
const IDLE_MAX = 4;
/** The size that Playwright gives to new pages. */
const USUAL_SIZE = { width: 1280, height: 720 };

/** A page of the site, because a page of no site has another process and no storage. */
export const EMPTY_PAGE = "/robots.txt";

/** `prepare` is called once for each new context. */
export function openPagePool(
  browser: Browser,
  url: string,
  prepare: (context: BrowserContext) => Promise<unknown>,
): PagePool {
  const idle = new Map<Page, Loan>();
  const lent = new Map<Page, Loan>();

  async function open(variant: string): Promise<Page> {
    const context = await browser.newContext({ baseURL: url });
    await prepare(context);
    const page = await context.newPage();
    const loan: Loan = { context, variant, session: await context.newCDPSession(page), isChanged: false };
    noteChanges(page, () => {
      loan.isChanged = true;
    });
    lent.set(page, loan);
    return page;
  }

  async function discard(page: Page, { context }: Loan): Promise<void> {
    idle.delete(page);
    await context.close();
  }

  return {
    async lend(variant) {
      for (const [page, loan] of idle) {
        if (loan.variant === variant) {
          idle.delete(page);
          lent.set(page, loan);
          return page;
        }
      }
      return await open(variant);
    },
    async takeBack(page) {
      const loan = lent.get(page);
      if (loan === undefined) return;
      lent.delete(page);
      const isUsable = !loan.isChanged && (await tryToEmpty(page, loan));
      if (!isUsable) return await discard(page, loan);
      idle.set(page, loan);
      const [oldest] = idle;
      if (idle.size > IDLE_MAX && oldest !== undefined) await discard(...oldest);
    },
    async close() {
      for (const [page, loan] of [...idle, ...lent]) await discard(page, loan);
    },
  };
}

async function tryToEmpty(page: Page, loan: Loan): Promise<boolean> {
  try {
    await empty(page, loan);
    return true;
  } catch {
    return false;
  }
}

async function empty(page: Page, { context, session }: Loan): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.unrouteAll({ behavior: "ignoreErrors" });
  for (const event of EVENTS) page.removeAllListeners(event);
  context.removeAllListeners("page");
  await page.goto(EMPTY_PAGE);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
  await context.clearPermissions();
  await page.setViewportSize(USUAL_SIZE);
  await page.mouse.move(-1, -1);
  await session.send("Page.resetNavigationHistory");
}

/** The events that tests listen to. Playwright listens to others itself. */
const EVENTS = ["console", "dialog", "pageerror", "request", "requestfailed", "response", "websocket"] as const;
/** Changes by these methods stay in the page or its context. */
const LASTING_OF_PAGE = [
  "addInitScript",
  "addLocatorHandler",
  "emulateMedia",
  "exposeBinding",
  "exposeFunction",
  "routeWebSocket",
  "setDefaultTimeout",
  "setExtraHTTPHeaders",
] as const;
const LASTING_OF_CONTEXT = [
  "addInitScript",
  "exposeBinding",
  "exposeFunction",
  "newCDPSession",
  "routeWebSocket",
  "setDefaultTimeout",
  "setExtraHTTPHeaders",
  "setGeolocation",
  "setHTTPCredentials",
  "setOffline",
] as const;
const LASTING_OF_CLOCK = [
  "fastForward",
  "install",
  "pauseAt",
  "resume",
  "runFor",
  "setFixedTime",
  "setSystemTime",
] as const;

function noteChanges(page: Page, onChange: () => void): void {
  note(page, LASTING_OF_PAGE, onChange);
  note(page.context(), LASTING_OF_CONTEXT, onChange);
  note(page.clock, LASTING_OF_CLOCK, onChange);
}

function note<Target extends object>(target: Target, names: readonly (keyof Target)[], onChange: () => void): void {
  for (const name of names) {
    const method = target[name] as (...given: unknown[]) => unknown;
    const noted = (...given: unknown[]) => {
      onChange();
      return method.apply(target, given);
    };
    Object.assign(target, { [name]: noted });
  }
}
