import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..", "..");
const BESIDE_THE_SEAM = {
  "wall-clock": "export const at = Date.now();",
  date: "export const at = new Date();",
  clock: "export const ms = performance.now();",
  random: "export const share = Math.random();",
  timer: "export const timer = setTimeout(() => undefined, 1);",
  id: "export const id = crypto.randomUUID();",
};
const ON_THE_SERVER = {
  immediate: "setImmediate(() => undefined);",
  global: "export const timer = globalThis.setTimeout(() => undefined, 1);",
  library: 'export { setTimeout } from "node:timers/promises";',
  "node-id": 'import { randomUUID } from "node:crypto";\n\nexport const id = randomUUID();',
};
const THROUGH_THE_SEAM = `import { setTimeout, wallMs } from "../../../platform/runtime.ts";

export const timer = setTimeout(() => undefined, wallMs());
export const day = new Date(0);`;

/** The files in which Biome finds something, with the project's settings. */
function check(files: Readonly<Record<string, string>>): readonly string[] {
  const root = mkdtempSync(path.join(tmpdir(), "holo-runtime-check-"));
  try {
    for (const file of ["biome.json", "scripts/checks/runtime.grit", ".gitignore"]) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      copyFileSync(path.join(ROOT, file), path.join(root, file));
    }
    for (const [file, code] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), `${code}\n`);
    }
    const biome = path.join(ROOT, "node_modules", ".bin", "biome");
    const { stdout, stderr } = spawnSync(biome, ["lint", "--max-diagnostics=none"], { cwd: root, encoding: "utf8" });
    return Object.keys(files).filter((file) => `${stdout}${stderr}`.includes(`${file}:`));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function inFolder(folder: string, codes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(codes).map(([name, code]) => [`${folder}/${name}.ts`, code]));
}

test("the check refuses clocks, timers, ids and randomness beside the seams of server and page", () => {
  const refused = {
    ...inFolder("apps/server/src/game/table", { ...BESIDE_THE_SEAM, ...ON_THE_SERVER }),
    ...inFolder("apps/web/src/lib/socket", BESIDE_THE_SEAM),
    ...inFolder("apps/web/src/features/table/store", BESIDE_THE_SEAM),
  };
  const accepted = {
    ...inFolder("apps/server/src/game/table", { seam: THROUGH_THE_SEAM }),
    ...inFolder("apps/web/src/features/table/clock", BESIDE_THE_SEAM),
  };
  expect(check({ ...refused, ...accepted })).toEqual(Object.keys(refused));
});
