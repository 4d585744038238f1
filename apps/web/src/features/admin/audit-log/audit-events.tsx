import type { AuditEventType, AuditEventView } from "@holo/protocol/admin/staff.ts";
import { fetchApi } from "../../../lib/api/api.ts";
import { usePages } from "../../../lib/api/use-pages.ts";
import { formatBytes } from "../../../lib/native/bytes.ts";
import { ShowMore } from "../../../ui/data/show-more.tsx";
import { Collapsible } from "../../../ui/layout/collapsible.tsx";
import { adminKey } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";
import "./audit-events.css";

const AUDIT_EVENT_NAMES: Readonly<Record<AuditEventType, string>> = {
  owner_set: "CEO named",
  admin_added: "Admin added",
  admin_removed: "Admin removed",
  settings_changed: "Rate or fee changed",
  payment_credited: "Payment credited",
  payment_debited: "Payment debited",
  payment_refunded: "Payment refunded",
  payment_sent_again: "Withdrawal sent again",
  payment_written_off: "Payment written off",
  dispute_answered: "Dispute answered",
  orphaned_balance_sent: "Coins sent to a deleted account's owner",
  reconciled: "Compared with the provider",
  revenue_withdrawn: "Revenue withdrawn",
  maintenance_begun: "Maintenance begun",
  maintenance_ended: "Maintenance ended",
  player_banned: "Player blocked",
  player_unbanned: "Player unblocked",
  withdrawals_held: "Withdrawals held",
  withdrawals_released: "Withdrawals released",
  payouts_held: "All withdrawals held by the operator",
  payouts_released: "All withdrawals released",
  game_cancelled: "Game cancelled",
  report_ended: "Report ended",
  release_added: "App version uploaded",
  release_made_current: "App version made current",
  owner_verified: "CEO's email verified by the operator",
  sessions_ended: "Sessions ended by the operator",
  second_factor_removed: "Login codes switched off by the operator",
  payment_asked: "Provider asked by the operator",
  secret_forgotten: "Server's secret changed by the operator",
  ratings_rebuilt: "Ratings corrected by the operator",
  fair_play_cleared: "Fair play case cleared",
  forfeit_proposed: "Forfeit proposed",
  forfeit_withdrawn: "Forfeit proposal withdrawn",
  coins_forfeited: "Coins forfeited",
  appeal_answered: "Appeal answered",
};

const TIME: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };

export function AuditEvents({ playerId }: { readonly playerId: string }) {
  return (
    <Collapsible title="Activity log">
      <AuditEventList playerId={playerId} />
    </Collapsible>
  );
}

function AuditEventList({ playerId }: { readonly playerId: string }) {
  const query = usePages({
    queryKey: adminKey(playerId, "audit-events"),
    load: (before, signal) => fetchApi("auditEvents", { query: { before } }, signal),
    toRows: (page) => page.events,
  });
  return (
    <Loaded query={query} loading="Loading activity..." failed="We couldn't load the log.">
      {(events) => (
        <>
          {events.length === 0 && <p className="muted">No activity yet.</p>}
          <ul className="audit-events">
            {events.map((event) => (
              <AuditEventRow key={event.id} event={event} />
            ))}
          </ul>
          <ShowMore query={query} />
        </>
      )}
    </Loaded>
  );
}

/** The log keeps the size of an upload in bytes. */
function formatDetail(action: AuditEventType, detail: string): string {
  if (!action.startsWith("release_")) return detail;
  return detail.replace(/^(\d+) bytes/, (_, bytes: string) => formatBytes(Number(bytes)));
}

function AuditEventRow({ event: { at, username, action, subject, detail } }: { readonly event: AuditEventView }) {
  return (
    <li>
      <time className="meta" dateTime={new Date(at).toISOString()}>
        {new Date(at).toLocaleString("en-GB", TIME)}
      </time>
      <div>
        <p>
          <b>{AUDIT_EVENT_NAMES[action]}</b> {subject}
        </p>
        {detail !== "" && <p className="small muted">{formatDetail(action, detail)}</p>}
      </div>
      <p className="small muted who">{username ?? "The server"}</p>
    </li>
  );
}
