import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ReconciliationView } from "@holo/protocol/admin/money.ts";
import { loadRole } from "../../accounts/accounts.ts";
import type { Payments, Reconciliation } from "../../payments/payments.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Actor } from "../admins/admins.ts";
import { recordAuditEvent } from "../audit-log/audit-log.ts";
import { toReconciliationView } from "../overview/overview.ts";

/** Runs the daily reconciliation with the provider on demand. */
export interface ManualReconciliation {
  /** Refusals: `access_denied`; `provider_silent` if the provider did not list everything. */
  reconcile(actor: Actor): Promise<Result<ReconciliationView, "access_denied" | "provider_silent">>;
}

interface ManualReconciliationOptions {
  readonly database: Database;
  readonly time: Time;
  readonly payments: Pick<Payments, "reconciliation">;
}

export function openManualReconciliation({
  database,
  time,
  payments,
}: ManualReconciliationOptions): ManualReconciliation {
  let running: Promise<Reconciliation | null> | null = null;

  /** Concurrent callers share one run: it reads two weeks of lists. */
  function run(): Promise<Reconciliation | null> {
    running ??= payments.reconciliation.reconcile().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    async reconcile(actor) {
      const isAllowed = await transact(database, async (tx) => {
        if ((await loadRole(tx, actor.id)) === null) return false;
        const at = time.now();
        await recordAuditEvent(tx, { playerId: actor.id, action: "reconciled", subject: "provider", detail: "", at });
        return true;
      });
      if (!isAllowed) return refuse("access_denied");
      const compared = await run();
      return compared === null ? refuse("provider_silent") : ok(toReconciliationView(compared));
    },
  };
}
