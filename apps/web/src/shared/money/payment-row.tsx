import { formatCoins, type Kobo } from "@holo/kernel/money.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import type { ReactNode } from "react";
import { readCoins } from "../../lib/api/coins.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import { formatRelativeTime } from "../../ui/text/relative-time.ts";
import { formatNaira } from "./naira.ts";
import { PAYMENT_KIND_NAMES } from "./payment-kinds.ts";
import { describePayment, toStatusBadge } from "./payment-text.ts";
import "./payment-row.css";

interface PaymentRowProps {
  readonly payment: PaymentView;
  readonly now: number;
  readonly children?: ReactNode;
}

export function PaymentRow({ payment, now, children }: PaymentRowProps) {
  const { kind, account, createdAt, reference } = payment;
  const { word, kind: badge } = toStatusBadge(payment);
  const text = describePayment(payment, now);
  return (
    <li className="payment-row">
      <span className="way">
        <Icon name={kind === "deposit" ? "download" : "upload"} />
      </span>
      <div className="what">
        <p>
          <b>{PAYMENT_KIND_NAMES[kind]}</b>{" "}
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
        {payment.payerFeeKobo > 0 && (
          <span className="meta">
            {kind === "deposit" ? "+" : "after"} {formatNaira(BigInt(payment.payerFeeKobo) as Kobo)} fee
          </span>
        )}
        {/* Revenue is rounded as in the Admin Wallet's receipt. */}
        <span className="meta">{formatCoins(readCoins(payment.coins), kind === "revenue" ? "up" : "down")} HC</span>
      </div>
      <div className="state">
        <Badge kind={badge}>{word}</Badge>
        {children}
      </div>
    </li>
  );
}
