import type { Coins } from "@holo/kernel/money.ts";
import { useSession } from "../../lib/session/session.ts";
import { toDepositFor, toWantedDeposit } from "../../lib/session/wanted-deposit.ts";
import { ButtonLink } from "../../ui/button/button.tsx";
import { formatNaira } from "./naira.ts";
import "./deposit-for-game.css";

interface DepositForGameProps {
  readonly missing: Coins;
  readonly page: string;
  /** Default: the foil, since nothing else leads to the game. */
  readonly kind?: "primary" | "secondary";
}

export function DepositForGame({ missing, page, kind = "primary" }: DepositForGameProps) {
  const kobo = toDepositFor(missing, useSession().settings.rateKobo);
  return (
    <ButtonLink kind={kind} wide className="deposit-for-game" href="/wallet" state={toWantedDeposit(kobo, page)}>
      Deposit {formatNaira(kobo)}
    </ButtonLink>
  );
}
