import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Long simulations, deep perft and fault campaigns: `npm run test:deep`. */
const isDeep = process.env.DEEP === "1";

const common = {
  // Generous, because a busy machine is slow, not wrong.
  testTimeout: isDeep ? 600_000 : 60_000,
  hookTimeout: 60_000,
  // A poll waits for an event: only the test's own limit ends it.
  expect: { poll: { timeout: isDeep ? 600_000 : 60_000, interval: 20 } },
  env: { TZ: "UTC" },
};

/** Files of half a minute. A new clone has no durations of earlier runs. */
const LONG = [
  "simulation/campaign",
  "payments/provider-faults",
  "operations/backup",
  "operations/drill",
  "several-servers",
  "src/faults",
  "src/payments.faults",
];

/** Long files first: a worker that began one last would end alone. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
const isLong = ({ moduleId }: TestSpecification) => LONG.some((file) => moduleId.includes(file));

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    // More than two cores, because tests of whole servers wait much of the time.
    maxWorkers: 5,
    // Files share a worker's modules, which saves a quarter of the time, so tests must not leave
    // state in modules or globals. Web modules hold state, so each web file loads them again.
    isolate: false,
    projects: [
      { test: { ...common, name: "packages", include: ["packages/**/*.test.ts"] } },
      {
        test: {
          ...common,
          name: "web",
          include: ["apps/web/**/*.test.{ts,tsx}"],
          setupFiles: ["apps/web/src/testing/fresh-modules.ts"],
        },
      },
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
