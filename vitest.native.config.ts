import { defineConfig } from "vitest/config";

/** The native hosts: `npm run native -- test`. They build, sign and start other programs, one host at a time. */
export default defineConfig({
  test: {
    include: ["apps/{android,windows}/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    env: { TZ: "UTC" },
  },
});
