import { Coin } from "../../ui/coin.tsx";
import { formatRate } from "../../ui/naira.ts";
import "./rate.css";

/** What a holocoin costs, as the settings say. */
export function Rate({ rateKobo }: { readonly rateKobo: number }) {
  return (
    <p className="rate">
      <Coin size={32} />
      {formatRate(rateKobo)}
    </p>
  );
}
