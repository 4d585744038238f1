import type { Coins } from "@holo/kernel/money.ts";
import { useSession } from "../../lib/session/session.ts";
import { formatApproximateNaira } from "./naira.ts";

export function ApproximateNaira({ coins }: { readonly coins: Coins }) {
  const { rateKobo } = useSession().settings;
  return <span className="approximate-naira">(about {formatApproximateNaira(coins, rateKobo)})</span>;
}
