import { paymentIdOf, playerIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { ReviewEnd } from "@holo/protocol/admin/money.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { pay } from "../../../shared/money/testing/pay.ts";

async function render(
  given: Partial<PaymentView>,
  ends: readonly ReviewEnd[] = [],
  arrivedKobo: number | null = null,
): Promise<string> {
  vi.stubGlobal("addEventListener", () => undefined);
  const { ReviewRow } = await import("./review-row.tsx");
  const review = {
    payment: pay({ id: paymentIdOf("1"), kind: "withdrawal", ...given }),
    playerId: playerIdOf("1"),
    username: "ada",
    arrivedKobo,
    arrivedCoins: null,
    refundedKobo: null,
    refundedCoins: null,
    walletCoins: "0",
    ends: [...ends],
    heldBack: null,
  } as const;
  return renderToStaticMarkup(<ReviewRow review={review} now={0} onEnd={() => undefined} />);
}

it("says of a withdrawal whether the provider decides it, it is not sent yet or staff decide [ADMIN-08]", async () => {
  expect(await render({ status: "processing" })).toContain("The provider decides this");
  const waiting = await render({ status: "pending" });
  expect(waiting).toContain("Not sent yet.");
  expect(waiting).not.toContain("The provider decides this");
  const lost = await render({ status: "review" }, ["write_off"]);
  expect(lost).toContain("The bank paid this after its coins had gone back.");
  expect(lost).toContain("Write off the loss");
});

it("shows what was ordered and what was paid of a transfer that the provider reports otherwise [ADMIN-46]", async () => {
  const more = await render({ status: "review", kobo: 500_000 }, ["count_paid"], 530_600);
  for (const text of ["reports another transfer", "Ordered", "₦5,000", "Paid", "₦5,306", "Count as paid"]) {
    expect(more).toContain(text);
  }
  const failed = await render({ status: "review", kobo: 500_000 }, ["give_back"]);
  for (const text of ["Nothing", "Give the coins back"]) expect(failed).toContain(text);
  expect(await render({ status: "review" })).toContain("Please ask the provider what happened to the transfer.");
});
