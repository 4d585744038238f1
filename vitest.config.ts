import { defineConfig } from "vitest/config";

/** Long simulations, deep perft and fault campaigns: `npm run test:deep`. */
const isDeep = process.env.DEEP === "1";

const common = {
  // Generous, because a busy machine is slow, not wrong.
  testTimeout: isDeep ? 600_000 : 60_000,
  hookTimeout: 60_000,
  env: { TZ: "UTC" },
};

export default defineConfig({
  test: {
    // More than two cores, because tests of whole servers wait much of the time.
    maxWorkers: 3,
    // Files share a worker's modules, which saves a quarter of the time, so tests must not leave
    // state in modules or globals. Web modules hold state, so web tests are isolated.
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
