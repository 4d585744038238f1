import type { Kobo } from "@holo/kernel/money.ts";
import type { Transaction } from "../state/state.ts";

export interface Page {
  readonly status: number;
  readonly html: string;
}

const ENTITIES: { readonly [letter: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}

function formatAmount(amount: Kobo, currency: string): string {
  const whole = (amount / 100n).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const sign = currency === "NGN" ? "₦" : `${currency} `;
  return `${sign}${whole}.${(amount % 100n).toString().padStart(2, "0")}`;
}

function toDocument(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark light">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/checkout.css">
</head>
<body>
<main>
<p class="notice">Test checkout. No money moves: choose the bank's answer.</p>
<div class="sheet">
${content}
</div>
</main>
</body>
</html>
`;
}

function toRows(transaction: Transaction): string {
  const { amount, requestedAmount, currency, customer, reference } = transaction;
  const fee = (amount - requestedAmount) as Kobo;
  const rows: readonly (readonly [string, string])[] = [
    ...(fee > 0n && transaction.paidAt === null
      ? ([
          ["Amount", formatAmount(requestedAmount, currency)],
          ["Fee", formatAmount(fee, currency)],
        ] as const)
      : []),
    ["Payer", customer.email],
    ["Reference", reference],
  ];
  return `<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`).join("")}</dl>`;
}

/** The checkout page. The browser goes to `backUrl` afterwards. */
export function toCheckoutPage(transaction: Transaction, businessName: string, backUrl: string | null): Page {
  const amount = formatAmount(transaction.amount, transaction.currency);
  const head = (text: string): string =>
    `<h1>${escapeHtml(text)}</h1><p class="amount">${amount}</p>${toRows(transaction)}`;
  if (transaction.paidAt !== null) {
    const back =
      backUrl === null ? "" : `<a class="back" href="${escapeHtml(backUrl)}">Back to ${escapeHtml(businessName)}</a>`;
    return { status: 200, html: toDocument("Payment received", head(`${businessName} has received`) + back) };
  }
  const form = `<form method="post">
<button name="outcome" value="pay">Pay ${amount}</button>
<button name="outcome" value="pay_by_card">By card</button>
<button name="outcome" value="fail">Let the bank decline</button>
<button name="outcome" value="cancel">Cancel</button>
</form>`;
  return { status: 200, html: toDocument(`Pay ${businessName}`, head(`Pay ${businessName}`) + form) };
}

export function toOutcomePage(outcome: "fail" | "cancel"): Page {
  const text = outcome === "fail" ? "The bank declined" : "The payment was cancelled";
  return { status: 200, html: toDocument(text, `<h1>${text}</h1><p>You can close this page.</p>`) };
}

export function toUnknownPage(): Page {
  const text = "There is no such payment";
  return { status: 404, html: toDocument(text, `<h1>${text}</h1><p>Start it again from where you came.</p>`) };
}
