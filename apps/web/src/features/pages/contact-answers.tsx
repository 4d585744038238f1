import { formatCoins, PAYMENT_KOBO_MIN } from "@holo/kernel/money.ts";
import { GAMES } from "@holo/rules/registry.ts";
import { listPaidStakes } from "@holo/table/stakes.ts";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useSession } from "../../lib/session/session.ts";
import { toGameTerms } from "../../shared/match/match.ts";
import { formatNaira, formatPercent, formatRate } from "../../shared/money/naira.ts";
import "./contact-answers.css";

export function Questions() {
  const { rateKobo, feeBps } = useSession().settings;
  const smallest = GAMES.toSorted((one, other) => one.pieceCount - other.pieceCount)[0]!;
  const leastStake = listPaidStakes()[0]!;
  const least = toGameTerms(smallest.id, leastStake, feeBps);
  return (
    <section className="contact-answers" aria-labelledby="faq">
      <h2 id="faq">Frequently asked questions</h2>
      <Answer question="What does a match cost?">
        Stake for each piece times pieces, and a fee of {formatPercent(feeBps)}. The smallest match,{" "}
        {smallest.name.toLowerCase()} at {leastStake} HC a piece, costs {formatCoins(least.buyIn, "up")} HC; its winner
        receives {formatCoins(least.winnings)} HC.
      </Answer>
      <Answer question="What is a holocoin worth?">
        {formatRate(rateKobo)}, for deposits and withdrawals alike. The smallest of either is{" "}
        {formatNaira(PAYMENT_KOBO_MIN)}.
      </Answer>
      <Answer question="When can I withdraw?">
        Deposits and net winnings settle in 24 hours. Your{" "}
        <Link href="/wallet" className="link">
          wallet
        </Link>{" "}
        shows what's available now and when the rest will be. You need a verified email address. Coins you never played
        with are paid out minus Paystack's fees for the deposit and the transfer, shown before you confirm. If you paid
        for them by card, the first withdrawal waits 72 hours, or you send the money back to your card at once.
      </Answer>
      <Answer question="What happens when a match is cancelled?">
        Both players get their whole entry back at once, fee included. A draw is not a cancellation: you get your whole
        stake back, but not the fee.
      </Answer>
      <Answer question="Can I set limits or stop?">
        Your{" "}
        <Link href="/profile" className="link">
          profile
        </Link>{" "}
        lets you set limits, take a break or close your account. You can always withdraw.
      </Answer>
    </section>
  );
}

export function CommonIssues() {
  return (
    <section className="contact-answers" aria-labelledby="common-issues">
      <h2 id="common-issues">Common issues</h2>
      <Answer question="I paid, but my coins haven't arrived">
        We keep checking with Paystack. If your wallet still says pending after an hour, send us the payment's
        reference. Don't pay twice.
      </Answer>
      <Answer question="My withdrawal is taking long">
        We send it once and follow it up until it's confirmed. If it fails, the coins go back to your wallet.
      </Answer>
      <Answer question="I lost the connection during a game">
        Come back to the site and it takes you to your game. Your clock keeps running while you're away. If it was our
        fault, you get the time back.
      </Answer>
      <Answer question="I didn't get an email">
        Check your spam folder, or ask for a new link on your profile. Only the newest link works.
      </Answer>
      <Answer question="My opponent behaved badly">
        Tap their name beside the board to mute, block or report them. Our team reviews every report.
      </Answer>
    </section>
  );
}

function Answer({ question, children }: { readonly question: string; readonly children: ReactNode }) {
  return (
    <details>
      <summary>{question}</summary>
      <p className="muted">{children}</p>
    </details>
  );
}
