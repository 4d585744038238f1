import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ReconciliationView } from "@holo/protocol/admin/money.ts";
import { loadRole } from "../../accounts/accounts.ts";
import {
  endPayoutHold,
  loadPayoutHold,
  lockPayoutGuard,
  type Payments,
  type Reconciliation,
} from "../../payments/payments.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Actor } from "../admins/admins.ts";
import { recordAuditEvent } from "../audit-log/audit-log.ts";
import { toReconciliationView } from "../overview/overview.ts";
import { toSingleLine } from "../single-line.ts";

interface PayoutReleaseOrder {
  /** When the hold began that staff saw. */
  readonly fromAt: number;
  readonly reason: string;
}

export interface ManualReconciliation {
  /** Refusals: `access_denied`; `provider_silent` if the provider did not list everything. */
  reconcile(actor: Actor): Promise<Result<ReconciliationView, "access_denied" | "provider_silent">>;
  /** Refusals in this order. The reason is kept in the audit log. */
  releasePayouts(actor: Actor, order: PayoutReleaseOrder): Promise<Result<null, PayoutReleaseRefusal>>;
}

type PayoutReleaseRefusal = "reason_missing" | "access_denied" | "hold_unchanged" | "hold_changed";

interface ManualReconciliationDeps {
  readonly database: Database;
  readonly time: Time;
  readonly payments: Pick<Payments, "reconciliation">;
}

export function openManualReconciliation({ database, time, payments }: ManualReconciliationDeps): ManualReconciliation {
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

    async releasePayouts(actor, { fromAt, reason }) {
      const detail = toSingleLine(reason);
      if (detail === "") return refuse("reason_missing");
      return await transact(database, async (tx): Promise<Result<null, PayoutReleaseRefusal>> => {
        if ((await loadRole(tx, actor.id)) === null) return refuse("access_denied");
        await lockPayoutGuard(tx);
        const hold = await loadPayoutHold(tx);
        if (hold === null) return refuse("hold_unchanged");
        if (hold.fromAt !== fromAt) return refuse("hold_changed");
        const at = time.now();
        const event = { playerId: actor.id, action: "payouts_released", subject: hold.cause, detail, at } as const;
        const auditEventId = await recordAuditEvent(tx, event);
        await endPayoutHold(tx, hold, { at, auditEventId });
        return ok(null);
      });
    },
  };
}
