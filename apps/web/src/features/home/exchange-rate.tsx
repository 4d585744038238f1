import { formatRate } from "../../shared/money/naira.ts";
import { Coin } from "../../ui/icon/coin.tsx";
import "./exchange-rate.css";

export function ExchangeRate({ rateKobo }: { readonly rateKobo: number }) {
  return (
    <p className="exchange-rate">
      <Coin size={32} />
      {formatRate(rateKobo)}
    </p>
  );
}
