/**
 * `holo doctor`: checks configuration, database, files, mail, provider, webhook and the
 * auditor. `--json` prints JSON, `--quick` leaves the auditor out. Exits 1 on a fault.
 */
import process from "node:process";
import type { CommandContext } from "../command.ts";
import { examine, toLines } from "../doctor/doctor.ts";
import { Refused } from "../storage.ts";

export const failure = "could not check";

export async function run({ args, log, print }: CommandContext): Promise<number> {
  if (args.some((arg) => arg !== "--json" && arg !== "--quick"))
    throw new Refused("the options are --json and --quick");
  const findings = await examine(process.env, { log, isQuick: args.includes("--quick") });
  const isSound = findings.every(({ status }) => status !== "fault");
  if (args.includes("--json")) print(JSON.stringify({ isSound, findings }, null, 1));
  else for (const line of toLines(findings)) print(line);
  return isSound ? 0 : 1;
}
