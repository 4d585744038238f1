import { defineConfig } from "vitest/config";

/** Long simulations, deep perft and fault campaigns: `npm run test:deep`. */
const isDeep = process.env.DEEP === "1";

const common = {
  // Many times what they take on an idle machine: a busy one is slow, not wrong.
  testTimeout: isDeep ? 600_000 : 60_000,
  hookTimeout: 60_000,
  env: { TZ: "UTC" },
};

export default defineConfig({
  test: {
    // One more than cores: tests of whole servers wait for much of their time.
    maxWorkers: 3,
    // Files share what a worker has loaded: to load it for each anew took a quarter of the whole. So none may leave anything behind in a
    // module or in the globals. What the page keeps of itself it keeps in modules: there each file gets its own.
    isolate: false,
    projects: [
      { test: { ...common, name: "packages", include: ["packages/**/*.test.ts"] } },
      { test: { ...common, name: "web", isolate: true, include: ["apps/web/**/*.test.{ts,tsx}"] } },
      {
        test: {
          ...common,
          name: "tools",
          include: ["scripts/**/*.test.ts", "bench/**/*.test.ts", "simulation/**/*.test.ts"],
        },
      },
      {
        test: {
          ...common,
          name: "server",
          include: ["apps/{server,sandbox}/**/*.test.ts"],
          globalSetup: ["apps/server/src/platform/testing/test-cluster.ts"],
        },
      },
    ],
  },
});
