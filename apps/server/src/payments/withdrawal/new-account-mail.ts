import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { formatMailContent } from "../../platform/mail/mail-content.ts";
import type { NewMail } from "../../platform/mail/outbox.ts";
import { toLastDigits } from "../payment.ts";
import type { BankAccount } from "../payment-base.ts";

const NEWS_MS = 3 * 24 * 60 * MINUTE_MS;

/** Warns a player about the first withdrawal to a bank account (ruling 12). */
export function toNewAccountMail(order: {
  readonly playerId: PlayerId;
  readonly username: string;
  readonly email: string;
  readonly account: BankAccount;
  readonly publicUrl: string;
  readonly at: Instant;
}): NewMail {
  const { playerId, username, email, account, publicUrl, at } = order;
  const content = formatMailContent({
    title: "Withdrawal to a new bank account",
    paragraphs: [
      `Hello ${username}, a withdrawal from your Holo Arena wallet was just requested to a new account: ${account.bankName}, ending in ${toLastDigits(account.accountNumber)}, in the name of ${account.accountName}.`,
      "If this was you, you don't need to do anything.",
    ],
    action: { text: "Open the wallet", url: `${publicUrl}/wallet` },
    notes: ["Not you? Change your password now and write to us."],
  });
  return {
    kind: "new_bank_account",
    accountId: playerId,
    to: email,
    subject: "Withdrawal to a new bank account",
    ...content,
    expiresAt: addMs(at, NEWS_MS),
  };
}
