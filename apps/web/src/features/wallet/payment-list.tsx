import { formatCoins, type Kobo } from "@holo/kernel/money.ts";
import type { PaymentView } from "@holo/protocol/views.ts";
import { useState } from "react";
import { callApi } from "../../lib/api.ts";
import { readCoins } from "../../lib/coins.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { formatNaira } from "../../ui/naira.ts";
import { notify } from "../../ui/notify.ts";
import { formatRelativeTime } from "../../ui/relative-time.ts";
import { useNow } from "../../ui/use-now.ts";
import { describePayment, STATUS_BADGES } from "./payment-text.ts";
import "./payment-list.css";

const CLOCK_MS = 30_000;
/** The first ones are what is under way; the rest is a press away. */
const SHOWN = 5;

interface PaymentListProps {
  /** Newest first. */
  readonly payments: readonly PaymentView[];
  readonly onHeard: (payment: PaymentView) => void;
}

/** Every deposit and withdrawal with what has become of it. */
export function PaymentList({ payments, onHeard }: PaymentListProps) {
  const now = useNow(CLOCK_MS);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? payments : payments.slice(0, SHOWN);
  return (
    <section className="payments" aria-labelledby="payments">
      <h2 id="payments">Deposits and withdrawals</h2>
      {payments.length === 0 ? (
        <p className="muted">You have made no deposit or withdrawal yet.</p>
      ) : (
        <ul>
          {shown.map((payment) => (
            <PaymentRow key={payment.id} payment={payment} now={now} onHeard={onHeard} />
          ))}
        </ul>
      )}
      {payments.length > SHOWN && (
        <Button size="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${payments.length}`}
        </Button>
      )}
    </section>
  );
}

interface PaymentRowProps extends Pick<PaymentListProps, "onHeard"> {
  readonly payment: PaymentView;
  readonly now: number;
}

function PaymentRow({ payment, now, onHeard }: PaymentRowProps) {
  const [isAsking, setAsking] = useState(false);
  const { kind, status, account, createdAt, reference } = payment;
  const { word, kind: badge } = STATUS_BADGES[status];
  const text = describePayment(payment, now);

  async function check() {
    setAsking(true);
    const answer = await callApi("checkDeposit", { body: { reference } });
    setAsking(false);
    if (answer.ok) onHeard(answer.value);
    else notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
  }

  return (
    <li>
      <span className="way">
        <Icon name={kind === "deposit" ? "download" : "upload"} />
      </span>
      <div className="what">
        <p>
          <b>{kind === "deposit" ? "Deposit" : "Withdrawal"}</b>{" "}
          <time className="meta" dateTime={new Date(createdAt).toISOString()}>
            {formatRelativeTime(createdAt, now)}
          </time>
        </p>
        {account !== null && (
          <p className="meta">
            {account.bankName} ••{account.lastDigits}, {account.accountName}
          </p>
        )}
        {text !== "" && <p className="small">{text}</p>}
        <p className="meta reference">{reference}</p>
      </div>
      <div className="sum">
        <b>{formatNaira(BigInt(payment.kobo) as Kobo)}</b>
        <span className="meta">{formatCoins(readCoins(payment.coins), kind === "deposit" ? "down" : "up")} HC</span>
      </div>
      <div className="state">
        <Badge kind={badge}>{word}</Badge>
        {kind === "deposit" && status === "pending" && (
          <Button size="small" kind="quiet" busy={isAsking && "Checking..."} onClick={() => void check()}>
            Check again
          </Button>
        )}
      </div>
    </li>
  );
}
