import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { AUTH_SECRET } from "../../testing/server-process.ts";

const ROOT = fileURLToPath(new URL("../../../../..", import.meta.url));

/** The commands of a page of docs/operations by the number of their step; 0: before the first. */
export async function readSteps(page: string): Promise<readonly string[]> {
  const steps: string[] = [""];
  for (const line of (await readFile(path.join(ROOT, "docs/operations", page), "utf8")).split("\n")) {
    if (/^\*\*\d/.test(line)) steps.push("");
    if (/^ {4,}\S/.test(line)) steps[steps.length - 1] += `${line.trim()}\n`;
  }
  return steps;
}

/** The file of the environment as an operator would fill it in. */
function writeEnvironment(step: string): string {
  const values: Readonly<Record<string, string>> = {
    AUTH_SECRET: `"${AUTH_SECRET}"`,
    PAYSTACK_SECRET_KEY: "sk_live_of_a_test",
  };
  const lines = step.trimEnd().split("\n");
  const isVariable = (line: string): boolean => /^[A-Z_]+=/.test(line);
  const written = lines.filter(isVariable).map((line) => {
    const [name = ""] = line.split("=");
    return name in values ? `${name}=${values[name]}` : line;
  });
  const rights = lines.filter((line) => !isVariable(line));
  return ["cat > /etc/holo-arena.env <<'END'", ...written, "END", ...rights, ""].join("\n");
}

/** What the drill installs first, and what it upgrades to. */
export const VERSIONS = { installed: "1.0.0+installed", newer: "1.0.1+newer" };
/** Where the drill finds the archives. */
export const ARCHIVES = "srv/archives";

/** Writes a file for each step of the pages, and the script that runs them, into `folder`. */
export async function writeSteps(folder: string): Promise<void> {
  const pages = { install: "install.md", recovery: "point-in-time-recovery.md", upgrade: "upgrade.md" };
  for (const [name, page] of Object.entries(pages)) {
    for (const [number, commands] of (await readSteps(page)).entries()) {
      await writeFile(path.join(folder, `${name}-${number}.sh`), toScript(`${name}-${number}`, commands));
    }
  }
  const back = toScript("upgrade-0", (await readSteps("upgrade.md"))[0]!).replaceAll(
    VERSIONS.newer,
    VERSIONS.installed,
  );
  await writeFile(path.join(folder, "back.sh"), back.slice(back.indexOf("ln -sfn")));
  await cp(path.join(ROOT, "deploy/installed-drill.sh"), path.join(folder, "drill.sh"));
}

function toScript(name: string, commands: string): string {
  const { installed, newer } = VERSIONS;
  const toVersion = (version: string): string => `cd /${ARCHIVES}\n${commands.replaceAll("VERSION", version)}`;
  if (name === "install-3") return toVersion(installed);
  if (name === "upgrade-0") return toVersion(newer);
  if (name === "install-4") return writeEnvironment(commands);
  return name === "install-8" ? commands.replace("holo doctor", "holo doctor --json") : commands;
}
