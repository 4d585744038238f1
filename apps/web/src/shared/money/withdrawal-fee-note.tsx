import { formatCoins } from "@holo/kernel/money.ts";
import type { WithdrawalTerms } from "@holo/protocol/withdrawal-terms.ts";
import { formatNaira } from "./naira.ts";

/** Says why a withdrawal bears fees (ruling 37); nothing where it bears none. */
export function WithdrawalFeeNote({ terms }: { readonly terms: WithdrawalTerms }) {
  const { feeKobo, depositFeeKobo, transferFeeKobo, unplayedCoins } = terms;
  if (feeKobo === 0n) return null;
  return (
    <p className="small muted">
      You never played with {formatCoins(unplayedCoins)} HC of this. The fee is what Paystack charges us for them:{" "}
      {formatNaira(depositFeeKobo)} for the deposit and {formatNaira(transferFeeKobo)} for the transfer. Coins you've
      played with have no fee.
    </p>
  );
}
