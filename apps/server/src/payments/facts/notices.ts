import type { PlayerId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { Wallet } from "../../ledger/ledger.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { type Payment, toPaymentView } from "../payment.ts";

/** Notifies players, and staff by alerts, after a payment's change is committed. */
export interface PaymentNotices {
  sendWallets(wallets: readonly Wallet[]): void;
  notify(payment: Payment, wallets?: readonly Wallet[], alerts?: readonly string[]): void;
}

export interface PaymentNoticesDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly sendFrame: (playerId: PlayerId, frame: ServerFrame) => void;
  /** Called when the hold on the player's money may have changed (ruling 33). */
  readonly onHoldChanged: (playerId: PlayerId) => void;
}

export function openPaymentNotices({ log, metrics, sendFrame, onHoldChanged }: PaymentNoticesDeps): PaymentNotices {
  const count = metrics.counter("holo_payment_alerts_total", "Payments that needed attention from staff");

  function sendWallets(wallets: readonly Wallet[]): void {
    for (const { playerId, balance, sequence } of wallets) {
      sendFrame(playerId, { type: "wallet", balance: String(balance), sequence });
    }
  }

  function notify(payment: Payment, wallets: readonly Wallet[] = [], alerts: readonly string[] = []): void {
    sendWallets(wallets);
    if (payment.kind !== "revenue") {
      sendFrame(payment.playerId, { type: "payment", payment: toPaymentView(payment) });
      // A dispute may have begun or ended, or a debt was made or repaid.
      if (payment.step !== "open") onHoldChanged(payment.playerId);
    }
    for (const alert of alerts) {
      count.inc();
      log.error({ alert, payment: payment.id, reference: payment.reference }, "a payment needs attention from staff");
    }
  }

  return { sendWallets, notify };
}
