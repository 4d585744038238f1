/**
 * `holo admin COMMAND`: what the operator does on the machine, for example
 * `verify-owner ADDRESS --because TEXT`. Without a command it lists them.
 */
import process from "node:process";
import { parseConfig } from "../../config.ts";
import { runAdminCommand } from "../admin-commands.ts";
import type { CommandContext } from "../command.ts";
import { Refused } from "../storage.ts";

export const failure = "nothing was changed";

export async function run({ args, log, print }: CommandContext): Promise<number> {
  const config = parseConfig(process.env);
  if (!config.ok) throw new Refused(`the configuration has faults:\n${config.refusal.join("\n")}`);
  await runAdminCommand(args, config.value, { log, print });
  return 0;
}
