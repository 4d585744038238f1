import { paymentIdOf, playerIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { PaymentCaseView } from "@holo/protocol/admin/money.ts";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { pay } from "../../../shared/money/testing/pay.ts";

type Change = Omit<Partial<PaymentCaseView>, "payment"> & { readonly payment?: Partial<PaymentCaseView["payment"]> };

async function render({ payment = {}, ...change }: Change): Promise<string> {
  vi.stubGlobal("addEventListener", () => undefined);
  const { CaseCard } = await import("./case-card.tsx");
  const shown: PaymentCaseView = {
    payment: pay({ id: paymentIdOf("1"), kind: "withdrawal", kobo: 500_000, ...payment }),
    playerId: playerIdOf("1"),
    username: "ada",
    why: null,
    residueKobo: null,
    lastFact: 1,
    facts: [],
    disputes: [],
    walletCoins: "0",
    corrections: [],
    proposal: null,
    heldBack: null,
    ...change,
  };
  return renderToStaticMarkup(<CaseCard shown={shown} now={0} onAct={() => undefined} />);
}

const buttonsOf = (html: string) => [...html.matchAll(/<button[^>]*>(?:<[^>]+>)*([^<]+)/g)].map(([, text]) => text);

// [ADMIN-53 §6 r51] Staff see each payment with why it is there, what no one has been given of it, its facts, and what
// they may do about it: nothing while it decides itself or is their own.
it("offers exactly what the case allows, and says what happens without staff [ADMIN-53]", async () => {
  const waiting = await render({ payment: { status: "pending" }, why: "first" });
  expect(waiting).toContain("The first withdrawal of coins that were never played waits three days.");
  expect(waiting).toContain("Not sent yet.");
  expect(buttonsOf(waiting)).toEqual([]);
  const slow = await render({ payment: { status: "processing" } });
  expect(slow).toContain("hasn&#x27;t confirmed this for more than a day");
  expect(slow).toContain("The provider decides this");
  const corrections = [
    { act: "credit" as const, kobo: 500_000 },
    { act: "write_off" as const, kobo: 500_000 },
  ];
  const open = await render({ payment: { status: "review" }, why: "transfer_differs", corrections });
  expect(buttonsOf(open)).toEqual(["Credit", "Write off"]);
  const own = await render({ payment: { status: "review" }, corrections, heldBack: "own_matter" });
  expect(buttonsOf(own)).toEqual([]);
});

it("names what no one has been given, what no one paid for, and what is not known yet", async () => {
  for (const [residueKobo, texts] of [
    [123_400, ["Not given out", "₦1,234"]],
    [-30_600, ["Not paid for", "₦306"]],
    [null, ["Not known yet"]],
  ] as const) {
    const html = await render({ residueKobo });
    for (const text of texts) expect(html).toContain(text);
    expect(html).not.toContain("-₦");
  }
});

it("names the deadline of open disputes alone, and offers an answer to each", async () => {
  const dispute = (id: string, stage: "open" | "won", dueAt: number | null) => ({ id, stage, dueAt, evidence: "" });
  const html = await render({
    payment: { kind: "deposit", status: "review" },
    disputes: [dispute("1", "open", 60_000), dispute("2", "won", 60_000), dispute("3", "open", null)],
  });
  expect(html.match(/Deadline for an answer/g)).toHaveLength(1);
  expect(html).toContain("The provider names no deadline for an answer.");
  expect(buttonsOf(html)).toEqual(["Answer the dispute", "Answer the dispute"]);
});

it("shows a proposal instead of the corrections, and its proposer when it can be confirmed alone", async () => {
  const proposal = {
    id: "proposal-1",
    act: "credit" as const,
    kobo: 6_000_000,
    username: "bola",
    reason: "The bank wrote to us",
    isOwn: false,
    at: 0,
  };
  const corrections = [{ act: "credit" as const, kobo: 6_000_000 }];
  const other = await render({ payment: { status: "review" }, corrections, proposal });
  expect(other).toContain("Credit ₦60,000, ordered by bola: The bank wrote to us");
  expect(other).not.toContain("confirm it after an hour");
  expect(buttonsOf(other)).toEqual(["Confirm"]);
  const own = await render({ payment: { status: "review" }, corrections, proposal: { ...proposal, isOwn: true } });
  expect(own).toContain("confirm it after an hour");
});

it("lists the facts in order, and which of them are acts of staff", async () => {
  const fact = { at: 0, outcome: null, kobo: null, backKobo: null, isByStaff: false };
  const html = await render({
    facts: [
      { ...fact, number: 1, type: "charge", outcome: "other_sum", kobo: 400_000, backKobo: 0 },
      { ...fact, number: 2, type: "posted", kobo: 400_000, isByStaff: true },
    ],
  });
  expect(html).toContain("2 facts");
  expect(html.indexOf("₦4,000 arrived")).toBeLessThan(html.indexOf("The player has the coins of ₦4,000 (staff)"));
});
