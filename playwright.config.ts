import { defineConfig } from "@playwright/test";
import { openSlowNetwork } from "./e2e/support/slow-network.ts";
import { findChromium } from "./scripts/install/chromium.js";

// Players that tests add get cheap password hashes, as in the servers that tests start.
process.env.NODE_ENV ??= "test";

// Maps every stack trace, a tenth of a worker's CPU time, and Node's TypeScript needs no maps.
Reflect.deleteProperty(Error, "prepareStackTrace");

const isDeep = process.env.DEEP === "1";
const executablePath = findChromium();
const networkDelayMsMax = Number(process.env.NETWORK_DELAY_MS ?? 0);
// Each worker reads this file, so each has a proxy of its own.
const slowNetwork = networkDelayMsMax > 0 ? await openSlowNetwork(networkDelayMsMax) : null;

/**
 * Spec files with an `ownServer`. A new server costs six CPU seconds with its worker, so files that
 * share one run in one worker.
 */
const ON_OWN_SERVERS = {
  "moved clock": [
    "accessibility/keyboard",
    "account/restrictions",
    "admin/fair-play",
    "lobby/invitation-away",
    "table/{board,endings,layout}",
    "wallet/withdrawal",
  ],
  // In the order of their names: revenue.spec.ts expects no earlier game.
  platform: ["admin/{payment-review,releases,revenue}", "site/{figures,styles,translated,update-prompt}"],
};
const toPatterns = (paths: readonly string[]) => paths.map((path) => `**/${path}.spec.ts`);

export default defineConfig({
  testDir: "e2e",
  // Node runs TypeScript itself; Playwright's compiler costs each worker seconds in a new clone.
  build: { external: ["**/*.ts"] },
  projects: [
    ...Object.entries(ON_OWN_SERVERS).map(([name, paths]) => ({ name, testMatch: toPatterns(paths), workers: 1 })),
    { name: "arena", testIgnore: toPatterns(Object.values(ON_OWN_SERVERS).flat()) },
  ],
  globalSetup: "./e2e/support/prepared-data.ts",
  outputDir: "test-results",
  // More than two cores, because tests wait much of the time.
  workers: 3,
  forbidOnly: true,
  retries: 0,
  // Generous, because a busy machine is slow, not wrong.
  timeout: isDeep ? 600_000 : 120_000,
  // Each waits for an event. A wrong page is reported before the test's own limit.
  expect: { timeout: 30_000 },
  use: {
    browserName: "chromium",
    ...(slowNetwork !== null && { proxy: { server: slowNetwork, bypass: "<-loopback>" } }),
    // Animation frames cost CPU without a graphics card; games.spec.ts runs with animations.
    contextOptions: { reducedMotion: "reduce" },
    // Pages follow the device; tests of both themes set them by themselves.
    colorScheme: "dark",
    // A service worker would answer instead of the server; offline.spec.ts allows it.
    serviceWorkers: "block",
    locale: "en-NG",
    timezoneId: "Africa/Lagos",
    screenshot: "only-on-failure",
    // Tracing is slow; TRACE=1 keeps the traces of failed tests.
    trace: process.env.TRACE === "1" ? { mode: "retain-on-failure", screenshots: false } : "off",
    launchOptions: {
      ...(executablePath !== null && { executablePath }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // A separate GPU process without a graphics card costs a seventh of the time.
        "--in-process-gpu",
        // The network in a process of its own costs a tenth.
        "--enable-features=NetworkServiceInProcess2",
        // Headless windows need no preloaded toolbar, which costs a page each.
        "--disable-features=PreloadTopChromeWebUI,WebUIOmniboxPopup",
      ],
    },
  },
});
