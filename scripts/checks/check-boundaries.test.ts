import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import boundaries from "../../.dependency-cruiser.js";

/** Each forbidden import, and the rule that names it. */
const FORBIDDEN: readonly (readonly [rule: string, from: string, to: string])[] = [
  ["kernel-imports", "packages/kernel/src/a.ts", "node:fs"],
  ["kernel-tests-import", "packages/kernel/src/a.test.ts", "packages/rules/src/clean.ts"],
  ["rules-imports", "packages/rules/src/a.ts", "zod"],
  ["rules-tests-import", "packages/rules/src/a.test.ts", "packages/table/src/clean.ts"],
  ["registry-names-the-games", "packages/rules/src/a.ts", "packages/chess/src/game.ts"],
  ["checkers-imports", "packages/checkers/src/a.ts", "packages/chess/src/clean.ts"],
  ["checkers-tests-import", "packages/checkers/src/a.test.ts", "packages/chess/src/clean.ts"],
  ["chess-imports", "packages/chess/src/a.ts", "zod"],
  ["chess-tests-import", "packages/chess/src/a.test.ts", "packages/checkers/src/clean.ts"],
  ["engine-imports", "packages/engine/src/a.ts", "packages/table/src/clean.ts"],
  ["engine-tests-import", "packages/engine/src/a.test.ts", "packages/protocol/src/clean.ts"],
  ["table-imports", "packages/table/src/a.ts", "packages/chess/src/clean.ts"],
  ["table-tests-import", "packages/table/src/a.test.ts", "packages/protocol/src/clean.ts"],
  ["protocol-imports", "packages/protocol/src/a.ts", "pg"],
  ["protocol-tests-import", "packages/protocol/src/a.test.ts", "apps/server/src/config.ts"],
  ["platform-knows-no-domain", "apps/server/src/platform/a.ts", "apps/server/src/ledger/ledger.ts"],
  ["decide-imports", "apps/server/src/payments/decide.ts", "zod"],
  ["decide-is-pure", "apps/server/src/game/decide.ts", "apps/server/src/game/impure.ts"],
  ["ledger-imports", "apps/server/src/ledger/a.ts", "apps/server/src/accounts/accounts.ts"],
  ["ledger-tests-import", "apps/server/src/ledger/a.test.ts", "apps/server/src/accounts/store.ts"],
  ["accounts-imports", "apps/server/src/accounts/a.ts", "apps/server/src/ledger/ledger.ts"],
  ["accounts-tests-import", "apps/server/src/accounts/a.test.ts", "apps/server/src/ledger/journal/journal-store.ts"],
  ["releases-imports", "apps/server/src/releases/a.ts", "apps/server/src/ledger/ledger.ts"],
  ["releases-tests-import", "apps/server/src/releases/a.test.ts", "apps/server/src/ledger/journal/journal-store.ts"],
  ["game-imports", "apps/server/src/game/a.ts", "apps/server/src/match/match.ts"],
  ["game-tests-import", "apps/server/src/game/a.test.ts", "apps/server/src/ledger/journal/journal-store.ts"],
  ["game-in-order-1", "apps/server/src/game/b.ts", "apps/server/src/game/log/clean.ts"],
  ["game-in-order-2", "apps/server/src/game/log/b.ts", "apps/server/src/game/table/clean.ts"],
  ["game-in-order-3", "apps/server/src/game/table/b.ts", "apps/server/src/game/chat/clean.ts"],
  ["game-in-order-4", "apps/server/src/game/chat/b.ts", "apps/server/src/game/game.ts"],
  ["match-imports", "apps/server/src/match/a.ts", "apps/server/src/lobby/lobby.ts"],
  ["match-tests-import", "apps/server/src/match/a.test.ts", "apps/server/src/ledger/journal/journal-store.ts"],
  ["lobby-imports", "apps/server/src/lobby/a.ts", "apps/server/src/game/log/clean.ts"],
  ["lobby-tests-import", "apps/server/src/lobby/a.test.ts", "apps/server/src/ledger/journal/journal-store.ts"],
  ["players-imports", "apps/server/src/players/a.ts", "apps/server/src/lobby/lobby.ts"],
  ["players-tests-import", "apps/server/src/players/a.test.ts", "apps/server/src/ledger/journal/journal-store.ts"],
  ["notices-imports", "apps/server/src/notices/a.ts", "apps/server/src/lobby/lobby.ts"],
  ["notices-tests-import", "apps/server/src/notices/a.test.ts", "apps/server/src/ledger/journal/journal-store.ts"],
  ["fairplay-imports", "apps/server/src/fairplay/a.ts", "apps/server/src/payments/payments.ts"],
  ["fairplay-tests-import", "apps/server/src/fairplay/a.test.ts", "apps/server/src/ledger/journal/journal-store.ts"],
  ["game-log-has-few-writers", "apps/server/src/game/chat/a.ts", "apps/server/src/game/log/game-writer.ts"],
  ["table-owns-its-parts", "apps/server/src/game/table/a.ts", "apps/server/src/game/table/table-watchers.ts"],
  ["payments-imports", "apps/server/src/payments/a.ts", "apps/server/src/ledger/journal/journal-store.ts"],
  ["payments-tests-import", "apps/server/src/payments/a.test.ts", "apps/server/src/ledger/journal/journal-store.ts"],
  ["admin-imports", "apps/server/src/admin/a.ts", "apps/server/src/ledger/journal/journal-store.ts"],
  ["admin-tests-import", "apps/server/src/admin/a.test.ts", "apps/server/src/ledger/journal/journal-store.ts"],
  ["transport-imports", "apps/server/src/transport/a.ts", "apps/server/src/ledger/journal/journal-store.ts"],
  ["transport-tests-import", "apps/server/src/transport/a.test.ts", "apps/server/src/ledger/journal/journal-store.ts"],
  ["transport-is-last", "apps/server/src/config.ts", "apps/server/src/transport/socket/socket.ts"],
  ["main-is-the-only-wiring", "apps/server/src/seed.ts", "apps/server/src/main.ts"],
  ["config-is-for-main", "apps/server/src/platform/b.ts", "apps/server/src/config.ts"],
  ["web-base-imports", "apps/web/src/ui/a.ts", "apps/web/src/features/home/home.ts"],
  ["web-shared-imports", "apps/web/src/shared/money/a.ts", "apps/web/src/features/home/home.ts"],
  ["web-features-are-apart", "apps/web/src/features/lobby/a.ts", "apps/web/src/features/home/home.ts"],
  ["web-never-server", "apps/web/src/app/a.ts", "apps/server/src/config.ts"],
  ["server-never-web", "apps/server/src/web.ts", "apps/web/src/app/app.ts"],
  ["sandbox-stands-alone", "apps/server/src/payments/b.ts", "apps/sandbox/src/sandbox.ts"],
  ["sandbox-imports", "apps/sandbox/src/a.ts", "apps/server/src/config.ts"],
  ["native-hosts-stand-alone", "apps/android/a.ts", "apps/windows/clean.ts"],
  ["native-hosts-are-apart", "apps/web/src/app/b.ts", "apps/windows/clean.ts"],
  ["tests-stay-tests", "packages/kernel/src/b.ts", "packages/kernel/src/clean.test.ts"],
  ["no-circles", "packages/kernel/src/circle-a.ts", "packages/kernel/src/circle-b.ts"],
  ["no-unresolvable", "scripts/a.ts", "no-such-package"],
];

/** Allowed imports, among them type-only imports and imports by package name. */
const ALLOWED: readonly (readonly [from: string, to: string])[] = [
  ["packages/kernel/src/circle-b.ts", "packages/kernel/src/circle-a.ts"],
  ["packages/chess/src/clean.ts", "@holo/kernel/clean.ts"],
  ["packages/table/src/clean.test.ts", "packages/chess/src/clean.ts"],
  ["packages/protocol/src/clean.ts", "zod"],
  ["apps/server/src/game/impure.ts", "apps/server/src/platform/clean.ts"],
  ["apps/server/src/game/game.ts", "apps/server/src/ledger/ledger.ts"],
  ["apps/server/src/game/game.ts", "apps/server/src/game/table/clean.ts"],
  ["apps/server/src/game/table/clean.ts", "apps/server/src/game/log/clean.ts"],
  ["apps/server/src/match/clean.ts", "apps/server/src/game/game.ts"],
  ["apps/server/src/lobby/clean.ts", "apps/server/src/match/match.ts"],
  ["apps/server/src/match/clean.test.ts", "apps/server/src/game/testing/test-play.ts"],
  ["apps/server/src/ledger/clean.test.ts", "apps/server/src/accounts/accounts.ts"],
  ["apps/server/src/transport/clean.test.ts", "apps/server/src/main.ts"],
  ["apps/server/src/transport/clean.test.ts", "apps/server/src/ledger/audit/audit.ts"],
  ["apps/server/src/main.ts", "apps/server/src/transport/socket/socket.ts"],
  ["apps/server/src/wiring/modules.ts", "apps/server/src/config.ts"],
  ["apps/web/src/features/home/home.ts", "apps/web/src/ui/button.ts"],
  ["apps/web/src/features/home/home.ts", "apps/web/src/shared/money/naira.ts"],
  ["apps/web/src/shared/money/naira.ts", "apps/web/src/lib/clock.ts"],
];

const SCRIPT = fileURLToPath(new URL("check-boundaries.js", import.meta.url));
let root = "";
let report: ReturnType<typeof run>;

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text, { flag: "a" });
}

function toSpecifier(from: string, to: string): string {
  if (!/^(packages|apps)\//.test(to)) return to;
  const relative = path.relative(path.dirname(from), to);
  return relative.startsWith(".") ? relative : `./${relative}`;
}

/** Runs the check on the fixture. Every output line but the last names a forbidden import. */
function run(...modulesMin: readonly string[]): { readonly lines: readonly string[]; readonly status: number | null } {
  const { stdout, status } = spawnSync(process.execPath, [SCRIPT, root, ...modulesMin], { encoding: "utf8" });
  return { lines: stdout.trimEnd().split("\n"), status };
}

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), "holo-boundaries-"));
  for (const library of ["zod", "pg"]) {
    write(`node_modules/${library}/package.json`, `{ "name": "${library}", "main": "index.js" }`);
    write(`node_modules/${library}/index.js`, "export {};\n");
  }
  write("packages/kernel/package.json", '{ "name": "@holo/kernel", "exports": { "./*": "./src/*" } }');
  write("packages/kernel/src/clean.ts", "export {};\n");
  mkdirSync(path.join(root, "node_modules/@holo"));
  symlinkSync(path.join(root, "packages/kernel"), path.join(root, "node_modules/@holo/kernel"));
  const edges = [...ALLOWED, ...FORBIDDEN.map(([, from, to]) => [from, to] as const)];
  for (const [from, to] of edges) {
    // Type imports are erased at run time but count as dependencies.
    write(from, `import type {} from "${toSpecifier(from, to)}";\n`);
    if (toSpecifier(from, to) !== to) write(to, "export {};\n");
  }
  report = run("1");
});

afterAll(() => rmSync(root, { recursive: true }));

describe("the module boundaries", () => {
  it("have an example of a forbidden import for each rule", () => {
    expect(FORBIDDEN.map(([rule]) => rule)).toEqual(boundaries.forbidden.map((rule) => rule.name));
  });

  it("reject each example by name", () => {
    const { lines, status } = report;
    expect(lines).toEqual(
      expect.arrayContaining(FORBIDDEN.map(([rule, from]) => expect.stringContaining(`${rule}: ${from} -> `))),
    );
    expect(status).toBe(1);
  });

  it("accept every allowed import", () => {
    const forbidden = new Set(FORBIDDEN.map(([, from]) => from));
    const named = report.lines.flatMap((line) => /^[a-z-]+: (\S+) -> /.exec(line)?.[1] ?? []);
    // A cycle is reported from the module where it was entered.
    expect(named.filter((from) => !forbidden.has(from) && !from.includes("circle"))).toEqual([]);
  });

  it("fail if too few modules were read", () => {
    expect(run("1000").lines.at(-2)).toBe("too few modules were read for a result");
  });
});
