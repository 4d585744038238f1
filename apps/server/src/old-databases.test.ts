import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { listInvariants } from "./invariants.ts";
import { openDatabase } from "./platform/database/database.ts";
import { auditDatabase } from "./platform/database/invariant.ts";
import { migrate } from "./platform/database/migrations.ts";
import { openFiles } from "./platform/files/open-files.ts";
import { openTestLog } from "./platform/testing/test-log.ts";
import { createOldDatabase } from "./testing/old-database.ts";

test.each(["administration.tsv.gz", "games.tsv.gz", "wallets.tsv.gz"])(
  "a database of release 0.1 (%s) migrates and passes the audit",
  async (dump) => {
    const connectionString = await createOldDatabase(dump);

    await migrate(connectionString);

    const database = openDatabase({ connectionString, log: openTestLog() });
    const invariants = listInvariants(openFiles({ type: "disk", folder: tmpdir() }));
    expect(await auditDatabase(database, invariants)).toBeNull();
    await database.close();
  },
);
