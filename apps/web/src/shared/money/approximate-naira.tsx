import type { Coins } from "@holo/kernel/money.ts";
import { useSession } from "../../lib/session/session.ts";
import { formatNairaAbout } from "./naira.ts";

export function NairaAbout({ coins }: { readonly coins: Coins }) {
  const { rateKobo } = useSession().settings;
  return <span className="naira-about">(about {formatNairaAbout(coins, rateKobo)})</span>;
}
