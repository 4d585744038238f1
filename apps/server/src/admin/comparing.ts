import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ReconciliationView } from "@holo/protocol/admin-views.ts";
import { loadRole } from "../accounts/accounts.ts";
import type { Payments, Reconciliation } from "../payments/payments.ts";
import type { Database } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import { recordAct } from "./acts.ts";
import type { Actor } from "./admins.ts";
import { toReconciliationView } from "./overview.ts";

/** The daily comparison with the provider, when somebody of the house wants it now. */
export interface Comparing {
  /** Refusals: `access_denied`, `provider_silent` where the provider did not list everything. */
  compare(actor: Actor): Promise<Result<ReconciliationView, "access_denied" | "provider_silent">>;
}

export interface ComparingOptions {
  readonly database: Database;
  readonly time: Time;
  readonly payments: Pick<Payments, "reconciliation">;
}

export function openComparing({ database, time, payments }: ComparingOptions): Comparing {
  let running: Promise<Reconciliation | null> | null = null;

  /** Who asks while it runs gets the same answer: it reads two weeks of lists. */
  function run(): Promise<Reconciliation | null> {
    running ??= payments.reconciliation.reconcile().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    async compare(actor) {
      const isAllowed = await transact(database, async (tx) => {
        if ((await loadRole(tx, actor.id)) === null) return false;
        const at = time.now();
        await recordAct(tx, { playerId: actor.id, act: "reconciled", subject: "provider", detail: "", at });
        return true;
      });
      if (!isAllowed) return refuse("access_denied");
      const compared = await run();
      return compared === null ? refuse("provider_silent") : ok(toReconciliationView(compared));
    },
  };
}
