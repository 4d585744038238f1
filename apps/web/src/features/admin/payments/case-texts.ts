import { formatNaira, toKobo } from "@holo/kernel/money.ts";
import type { CorrectionAct, PaymentCaseView, PaymentFactView } from "@holo/protocol/admin/money.ts";

/** Why staff look at a payment. */
const WHY_TEXTS: Readonly<Record<string, string>> = {
  amount_differs: "What arrived isn't what was asked for.",
  part_gone: "A part of it went back before it was credited.",
  account_deleted: "It arrived after the account was deleted.",
  restricted_disputed: "The player couldn't deposit when it arrived, and the payer's bank disputes it.",
  above_limit_disputed: "It's above the player's deposit limit, and the payer's bank disputes it.",
  refund_failed: "The refund failed. The provider still has the money.",
  refund_missing: "The provider doesn't know the refund that was ordered.",
  refund_refused: "The provider refused the refund.",
  refund_slow: "The refund has taken a week.",
  money_left: "The provider has money of it that wasn't given to anyone.",
  dispute_uncollected: "The bank hasn't taken the money for two weeks since it won the dispute.",
  unreadable: "The provider reports a status that we don't know.",
  transfer_differs: "The provider reports another transfer than we ordered.",
  paid_after_return: "The bank paid this after its coins had gone back.",
  disputed: "The payer's bank disputes it. The player can't withdraw or start a game until that's decided.",
  bank: "The provider didn't take the order. Please check its balance and whether it allows transfers.",
  dispute: "One of the player's deposits is disputed. It waits until that's settled.",
  debt: "The player owes coins. It waits until they are repaid.",
  staff: "The player's withdrawals are on hold.",
  records: "Our records are being compared with the provider's. It's sent right after that.",
  first: "The first withdrawal of coins that were never played waits three days.",
  fair_play: "Its coins are marked. It's sent when the marks end, after three days at the latest.",
};
const SLOW = "The bank hasn't confirmed this for more than a day.";

export function formatWhy({ why, payment }: PaymentCaseView): string | null {
  if (why !== null) return WHY_TEXTS[why] ?? why;
  return payment.status === "processing" ? SLOW : null;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  success: "paid",
  other_sum: "another amount was paid",
  foreign: "not naira, or not ours",
  reversed: "reversed",
  failed: "failed",
  abandoned: "not completed",
  busy: "not finished",
  missing: "unknown there",
  unreadable: "an unknown status",
  open: "not finished",
  otp: "waits for a code",
  unanswered: "no answer to the order",
};

/** One fact as a line. */
export function formatFact({ type, outcome, kobo, backKobo }: PaymentFactView): string {
  const said = OUTCOMES[outcome ?? ""] ?? outcome ?? "";
  const sum = kobo === null ? "" : formatSum(kobo);
  switch (type) {
    case "charge": {
      const arrived = outcome !== "foreign" && kobo !== null && kobo > 0 ? `, ${sum} arrived` : "";
      return `Provider: ${said}${arrived}${backKobo !== null && backKobo > 0 ? `, ${formatSum(backKobo)} went back` : ""}`;
    }
    case "transfer":
      return `Provider: ${said}${kobo !== null && kobo > 0 ? `, ${sum} left` : ""}`;
    case "dispute":
      return `Dispute: ${outcome === "open" ? "open" : outcome === "won" ? "decided for us" : "lost"}`;
    case "posted":
      return kobo === 0 ? "The player's coins were taken back" : `The player has the coins of ${sum}`;
    case "refund_sent":
      return `A refund of ${sum} was ordered`;
    case "wrote_off":
      return `${sum} were written off`;
    case "to_staff":
      return "Handed to staff";
    case "waits":
    case "unsent":
      return "Waits";
    case "sent":
      return "Ordered from the provider";
    case "resend":
      return "To be sent again, under the same reference";
    case "paid":
      return "Counted as paid";
    case "returned":
      return "The coins went back";
    case "taken":
      return "The coins were taken again";
    case "closed":
      return "Closed";
    default:
      return type;
  }
}

function formatSum(kobo: number): string {
  return formatNaira(toKobo(BigInt(kobo)));
}

interface CorrectionTexts {
  readonly name: string;
  readonly title: string;
  readonly body: string;
  readonly submit: string;
  readonly busy: string;
  readonly done: string;
}

export const CORRECTION_TEXTS: Readonly<Record<CorrectionAct, CorrectionTexts>> = {
  credit: {
    name: "Credit",
    title: "Credit the Player?",
    body: "The player gets the coins, and we tell them. Debts are repaid first.",
    submit: "Credit",
    busy: "Crediting...",
    done: "Credited",
  },
  debit: {
    name: "Debit",
    title: "Debit the Player?",
    body: "The coins are taken out of the player's wallet. If it has too little, they owe the rest. We tell them.",
    submit: "Debit",
    busy: "Debiting...",
    done: "Debited",
  },
  refund: {
    name: "Refund",
    title: "Refund the Payer?",
    body: "The money goes back to where it came from, and no coins are credited. We tell the player.",
    submit: "Refund",
    busy: "Refunding...",
    done: "Refund ordered",
  },
  send_again: {
    name: "Send again",
    title: "Send It Again?",
    body: "The provider doesn't know this transfer. It's ordered once more, under the same reference.",
    submit: "Send Again",
    busy: "Ordering...",
    done: "To be sent again",
  },
  write_off: {
    name: "Write off",
    title: "Write It Off?",
    body: "The case ends with this amount unresolved. A loss is the platform's.",
    submit: "Write Off",
    busy: "Writing off...",
    done: "Written off",
  },
};
export const ASKED_FIRST = "We ask the provider once more first. Nothing happens if it reports something new.";
