import type { Coins } from "@holo/kernel/money.ts";
import { useSession } from "../../lib/session/session.ts";
import { toDepositFor, toWantedDeposit } from "../../lib/session/wanted-deposit.ts";
import { ButtonLink } from "../../ui/button/button.tsx";
import { formatNaira } from "./naira.ts";
import "./deposit-for-game.css";

interface DepositForGameProps {
  readonly missing: Coins;
  readonly page: string;
}

export function DepositForGame({ missing, page }: DepositForGameProps) {
  const kobo = toDepositFor(missing, useSession().settings.rateKobo);
  return (
    <ButtonLink kind="primary" wide className="deposit-for-game" href="/wallet" state={toWantedDeposit(kobo, page)}>
      Deposit {formatNaira(kobo)}
    </ButtonLink>
  );
}
