/**
 * `npm run -s admin -- COMMAND`: what the operator does on the machine, for example
 * `verify-owner ADDRESS --because TEXT`. Without a command it lists them.
 */
import process from "node:process";
import { parseConfig } from "../apps/server/src/config.ts";
import { runAdminCommand } from "../apps/server/src/operations/admin-commands.ts";
import { runCommand } from "../apps/server/src/operations/command.ts";
import { Refused } from "../apps/server/src/operations/storage.ts";

await runCommand("nothing was changed", async ({ args, log, print }) => {
  const config = parseConfig(process.env);
  if (!config.ok) throw new Refused(`the configuration has faults:\n${config.refusal.join("\n")}`);
  await runAdminCommand(args, config.value, { log, print });
  return 0;
});
