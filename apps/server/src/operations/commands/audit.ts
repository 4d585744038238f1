/**
 * `holo audit`: checks every invariant of money, games and releases, also while a server
 * runs. Exits 1 on the first fault, and 2 with arguments. See docs/configuration.md.
 */
import process from "node:process";
import { listInvariants } from "../../invariants.ts";
import { auditDatabase } from "../../platform/database/invariant.ts";
import { openFiles } from "../../platform/files/open-files.ts";
import type { CommandContext } from "../command.ts";
import { openArenaDatabase, readStorageConfig } from "../storage.ts";

export const failure = "could not check";

export async function run({ args, log, print }: CommandContext): Promise<number> {
  if (args.length > 0) {
    process.stderr.write(`audit takes no arguments, not "${args.join(" ")}": the environment names the database\n`);
    return 2;
  }
  const config = readStorageConfig(process.env);
  const { database, close } = await openArenaDatabase(config, log);
  try {
    const invariants = listInvariants(openFiles(config.files));
    const broken = await auditDatabase(database, invariants, (name) => print(`ok: ${name}`));
    print(broken === null ? `all ${invariants.length} invariants hold` : `BROKEN: ${broken.name}: ${broken.found}`);
    return broken === null ? 0 : 1;
  } finally {
    await close();
  }
}
