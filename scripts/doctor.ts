/**
 * `npm run -s doctor`: checks configuration, database, files, mail, provider, webhook and the
 * auditor. `-- --json` prints JSON, `-- --quick` leaves the auditor out. Exits 1 on a fault.
 */
import process from "node:process";
import { runCommand } from "../apps/server/src/operations/command.ts";
import { examine, toLines } from "../apps/server/src/operations/doctor/doctor.ts";
import { Refused } from "../apps/server/src/operations/storage.ts";

await runCommand("could not check", async ({ args, log, print }) => {
  if (args.some((arg) => arg !== "--json" && arg !== "--quick"))
    throw new Refused("the options are --json and --quick");
  const findings = await examine(process.env, { log, isQuick: args.includes("--quick") });
  const isSound = findings.every(({ status }) => status !== "fault");
  if (args.includes("--json")) print(JSON.stringify({ isSound, findings }, null, 1));
  else for (const line of toLines(findings)) print(line);
  return isSound ? 0 : 1;
});
