import { formatNaira, toKobo } from "@holo/kernel/money.ts";
import type { PaymentCaseView } from "@holo/protocol/admin/money.ts";
import { formatNaira as formatShown } from "../../../shared/money/naira.ts";
import { PAYMENT_KIND_NAMES } from "../../../shared/money/payment-kinds.ts";
import { Button } from "../../../ui/button/button.tsx";
import { formatFutureTime, formatRelativeTime } from "../../../ui/text/relative-time.ts";
import { StaffConflictNote } from "../staff-conflict-note.tsx";
import { CORRECTION_TEXTS, formatFact, formatWhy } from "./case-texts.ts";

export type CaseAct =
  | { readonly type: "correct"; readonly correction: PaymentCaseView["corrections"][number] }
  | { readonly type: "answer"; readonly dispute: PaymentCaseView["disputes"][number] }
  | { readonly type: "confirm"; readonly proposalId: string };

interface CaseCardProps {
  readonly shown: PaymentCaseView;
  readonly now: number;
  readonly onAct: (act: CaseAct) => void;
}

function toNaira(kobo: number): string {
  return formatShown(toKobo(BigInt(Math.abs(kobo))));
}

export function CaseCard({ shown, now, onAct }: CaseCardProps) {
  const { payment, username, residueKobo } = shown;
  const why = formatWhy(shown);
  return (
    <li>
      <div className="what">
        <p>
          <b>
            {PAYMENT_KIND_NAMES[payment.kind]} of{" "}
            <span className="unbroken" translate="no">
              {username}
            </span>
          </b>{" "}
          <time className="meta" dateTime={new Date(payment.createdAt).toISOString()}>
            {formatRelativeTime(payment.createdAt, now)}
          </time>
        </p>
        {why !== null && <p className="small">{why}</p>}
        <Disputes shown={shown} now={now} />
        <p className="meta reference">{payment.reference}</p>
        <Facts shown={shown} now={now} />
      </div>
      <dl className="case-figures">
        <div>
          <dt>Ordered</dt>
          <dd>{toNaira(payment.kobo)}</dd>
        </div>
        <div>
          <dt>{residueKobo !== null && residueKobo < 0 ? "Not paid for" : "Not given out"}</dt>
          <dd>{residueKobo === null ? "Not known yet" : toNaira(residueKobo)}</dd>
        </div>
      </dl>
      <CaseActs shown={shown} onAct={onAct} />
    </li>
  );
}

function Disputes({ shown, now }: Pick<CaseCardProps, "shown" | "now">) {
  const open = shown.disputes.filter(({ stage }) => stage === "open");
  return open.map(({ id, dueAt }) => (
    <p key={id} className="small">
      <b>
        {dueAt === null
          ? "The provider names no deadline for an answer."
          : `Deadline for an answer: ${formatFutureTime(dueAt, now)}.`}
      </b>
    </p>
  ));
}

/** Everything that is known about it, oldest first. */
function Facts({ shown, now }: Pick<CaseCardProps, "shown" | "now">) {
  const { facts } = shown;
  if (facts.length === 0) return null;
  return (
    <details className="case-facts">
      <summary>{facts.length === 1 ? "1 fact" : `${facts.length} facts`}</summary>
      <ol>
        {facts.map((fact) => (
          <li key={fact.number}>
            {formatFact(fact)}
            {fact.isByStaff && " (staff)"}{" "}
            <time className="meta" dateTime={new Date(fact.at).toISOString()}>
              {formatRelativeTime(fact.at, now)}
            </time>
          </li>
        ))}
      </ol>
    </details>
  );
}

function CaseActs({ shown, onAct }: Omit<CaseCardProps, "now">) {
  const { heldBack, corrections, disputes, proposal, payment } = shown;
  const open = disputes.filter(({ stage }) => stage === "open");
  if (heldBack !== null) {
    return (
      <div className="actions">
        <StaffConflictNote why={heldBack} />
      </div>
    );
  }
  if (proposal !== null) {
    return (
      <div className="actions">
        <p className="small">
          {CORRECTION_TEXTS[proposal.act].name} {formatNaira(toKobo(BigInt(proposal.kobo)))}, ordered by{" "}
          {proposal.username}: {proposal.reason}
        </p>
        {proposal.isOwn && (
          <p className="small muted">Another member confirms it. If you're the only one, confirm it after an hour.</p>
        )}
        <Button size="small" onClick={() => onAct({ type: "confirm", proposalId: proposal.id })}>
          Confirm
        </Button>
      </div>
    );
  }
  if (corrections.length === 0 && open.length === 0) {
    return <p className="actions small muted">{toWait(payment)}</p>;
  }
  return (
    <div className="actions">
      {open.map((dispute) => (
        <Button key={dispute.id} size="small" onClick={() => onAct({ type: "answer", dispute })}>
          Answer the dispute
        </Button>
      ))}
      {corrections.map((correction) => (
        <Button key={correction.act} size="small" onClick={() => onAct({ type: "correct", correction })}>
          {CORRECTION_TEXTS[correction.act].name}
        </Button>
      ))}
    </div>
  );
}

function toWait({ status }: PaymentCaseView["payment"]): string {
  return status === "pending"
    ? "Not sent yet. It's sent automatically once nothing holds it up."
    : "The provider decides this, and it then closes here automatically.";
}
