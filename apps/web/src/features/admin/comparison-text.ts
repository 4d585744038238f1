import type { DifferenceView } from "@holo/protocol/admin-views.ts";

interface DifferenceWords {
  readonly title: string;
  /** What it means, and what is to be done about it. */
  readonly text: string;
}

export const DIFFERENCE_WORDS: Readonly<Record<DifferenceView["type"], DifferenceWords>> = {
  unknown_charge: {
    title: "Money came in that we know nothing of",
    text: "The provider received it under a reference that is no deposit of ours. Look there who paid it.",
  },
  unknown_transfer: {
    title: "Money went out that we know nothing of",
    text: "The provider sent it under a reference that is no withdrawal of ours. Look there at once who ordered it.",
  },
  missing_charge: {
    title: "A deposit the provider does not confirm",
    text: "Its coins were credited here. The provider does not list it, or not as paid.",
  },
  missing_transfer: {
    title: "A withdrawal the provider does not confirm",
    text: "It counts as paid out here. The provider does not list it, or not as sent.",
  },
  kept_charge: {
    title: "Money we gave back, and the provider still has",
    text: "Its coins were taken back here. The provider lists it as paid: it may have to be sent back, or credited again.",
  },
  other_amount: {
    title: "Another amount",
    text: "What the provider received is not what was asked for. It is held for review; the sum beside it is the provider's.",
  },
  unread: {
    title: "The provider's list could not be read in full",
    text: "Some of what it listed was not in its own form, so that nothing is known of it.",
  },
};

/** What the comparison itself brought about. @param settled how many payments */
export function describeSettled(settled: number): string {
  if (settled === 0) return "Nothing was left open between us.";
  return settled === 1
    ? "1 payment that had been left open came to its end by it."
    : `${settled} payments that had been left open came to their end by it.`;
}
