import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { untilOneWaits } from "../../platform/testing/lock-waits.ts";

/**
 * Sends a request whose transaction waits for `lock`, and changes the password meanwhile: after it
 * was confirmed for the request.
 */
export async function whilePasswordChanges<Answer>(
  database: Database,
  lock: (tx: Tx) => Promise<unknown>,
  changePassword: () => Promise<unknown>,
  request: () => Promise<Answer>,
): Promise<Answer> {
  const { asked } = await transact(database, async (tx) => {
    await lock(tx);
    const asked = request();
    await untilOneWaits(database);
    await changePassword();
    return { asked };
  });
  return await asked;
}
