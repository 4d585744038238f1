/**
 * `npm run -s audit`: checks every invariant of money, games and releases, also while a server
 * runs. Exits 1 on the first fault, and 2 with arguments. See docs/configuration.md.
 */
import process from "node:process";
import { listInvariants } from "../apps/server/src/invariants.ts";
import { runCommand } from "../apps/server/src/operations/command.ts";
import { openArenaDatabase, readStorageConfig } from "../apps/server/src/operations/storage.ts";
import { auditDatabase } from "../apps/server/src/platform/database/invariant.ts";
import { openFiles } from "../apps/server/src/platform/files/open-files.ts";

await runCommand("could not check", async ({ args, log, print }) => {
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
});
