import { listVariables } from "../../config/variables.ts";
import { type Config, type Environment, parseConfig } from "../../config.ts";
import { loadVersion } from "../../platform/build.ts";
import type { Log } from "../../platform/log.ts";
import { formatCount } from "../format-count.ts";
import { checkChessEngine } from "./check-chess-engine.ts";
import { checkDatabase } from "./check-database.ts";
import { checkDataDir, checkFiles, withoutNewFolders } from "./check-folders.ts";
import { checkMail, checkNats, checkProvider, checkPublicUrl } from "./check-network.ts";
import { type Finding, makeReporter } from "./finding.ts";

interface DoctorOptions {
  readonly log: Log;
  readonly isQuick: boolean;
}

/** The configuration without its invalid variables, so that the others are checked too. */
function toUsableConfig(environment: Environment): { readonly config: Config; readonly faults: readonly string[] } {
  const faults: string[] = [];
  let usable = environment;
  for (;;) {
    const parsed = parseConfig(usable);
    if (parsed.ok) return { config: parsed.value, faults };
    const isFirst = faults.length === 0;
    if (isFirst) faults.push(...parsed.refusal);
    const names = parsed.refusal.map((fault) => fault.split(" ", 1)[0]!);
    // Outside production, missing variables have a stand-in, and a live key is refused.
    usable = { ...usable, ...Object.fromEntries(names.map((name) => [name, undefined])), NODE_ENV: "test" };
  }
}

/**
 * Checks everything a server needs, side by side where independent. Changes nothing, except that
 * the server counts a failed login.
 */
export async function examine(environment: Environment, { log, isQuick }: DoctorOptions): Promise<readonly Finding[]> {
  const { config, faults } = toUsableConfig(environment);
  const { ok, fault } = makeReporter("configuration");
  const found = await withoutNewFolders(config, () =>
    Promise.all([
      checkDataDir(config),
      checkDatabase(config, log, isQuick),
      checkFiles(config),
      checkMail(config),
      checkProvider(config),
      checkPublicUrl(config),
      checkNats(config),
      checkChessEngine(config),
    ]),
  );
  return [
    makeReporter("version").ok(loadVersion()),
    ...(faults.length === 0
      ? [ok(`complete for ${config.mode}; set: ${listSet(environment)}`)]
      : faults.map((text) => fault(text, findRemedy(text)))),
    ...found.flat(),
  ];
}

function listSet(environment: Environment): string {
  const names = listVariables().flatMap(({ name }) => (environment[name]?.trim() ? [name] : []));
  return names.join(", ") || "nothing";
}

function findRemedy(fault: string): string {
  const variable = listVariables().find(({ name }) => fault.startsWith(`${name} `));
  const meaning = variable?.meaning.replaceAll(/`|\[([^\]]*)\]\([^)]*\)/g, "$1") ?? "it is none of ours";
  return `correct it in the server's environment (${meaning}); docs/configuration.md lists all variables`;
}

const MARKS = { ok: "ok     ", warning: "WARNING", fault: "FAULT  " } as const;

export function toLines(findings: readonly Finding[]): readonly string[] {
  const count = (status: Finding["status"], noun: string): string =>
    formatCount(findings.filter((finding) => finding.status === status).length, noun);
  return [
    ...findings.flatMap(({ check, status, found, remedy }) => [
      `${MARKS[status]} ${check}: ${found}`,
      ...(remedy === null ? [] : [`        remedy: ${remedy}`]),
    ]),
    `${count("fault", "fault")}, ${count("warning", "warning")}, ${count("ok", "check")} passed`,
  ];
}
