import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/chromium.js";

const isDeep = process.env.DEEP === "1";
const executablePath = findChromium();

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  // Much of a test is waiting: one more than two cores have.
  workers: 3,
  forbidOnly: true,
  retries: 0,
  // Many times what they take on an idle machine: a busy one is slow, not wrong.
  timeout: isDeep ? 600_000 : 120_000,
  expect: { timeout: 10_000 },
  use: {
    browserName: "chromium",
    // Without a graphics card every frame of a movement costs the two cores; games.spec.ts plays with all of them.
    contextOptions: { reducedMotion: "reduce" },
    // What one keeps would answer for the server in tests that are not about it; offline.spec.ts has it.
    serviceWorkers: "block",
    locale: "en-NG",
    timezoneId: "Africa/Lagos",
    screenshot: "only-on-failure",
    // A trace of every test costs a good part of its time: TRACE=1 keeps those of tests that fail.
    trace: process.env.TRACE === "1" ? { mode: "retain-on-failure", screenshots: false } : "off",
    launchOptions: {
      ...(executablePath !== null && { executablePath }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // There is no graphics card to keep apart, and a process of its own for it cost a seventh of the whole.
        "--in-process-gpu",
        // Windows nobody sees need no toolbar drawn ahead of time: it cost a page of its own for each.
        "--disable-features=PreloadTopChromeWebUI,WebUIOmniboxPopup",
      ],
    },
  },
});
