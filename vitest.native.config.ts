import { defineConfig } from "vitest/config";

/** `npm run native -- test`: builds, signs and starts other programs, one host at a time. */
export default defineConfig({
  test: {
    include: ["apps/{android,windows}/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    env: { TZ: "UTC" },
  },
});
