import { formatCoins, PAYMENT_KOBO_MIN } from "@holo/kernel/money.ts";
import { toTerms } from "@holo/table/platform-fee.ts";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useSession } from "../../lib/session/session.ts";
import { PIECE_COUNTS } from "../../shared/match/match.ts";
import { formatNaira, formatPercent, formatRate } from "../../shared/money/naira.ts";
import "./contact-answers.css";

/** Frequently asked questions, with the figures in force. */
export function Questions() {
  const { rateKobo, feeBps } = useSession().settings;
  const least = toTerms(1, PIECE_COUNTS.checkers, feeBps);
  return (
    <section className="contact-answers" aria-labelledby="faq">
      <h2 id="faq">Frequently asked questions</h2>
      <Answer question="What does a match cost?">
        Stake for each piece times pieces, and a fee of {formatPercent(feeBps)}. The smallest match, checkers at 1 HC a
        piece, costs {formatCoins(least.buyIn, "up")} HC; its winner receives {formatCoins(least.winnings)} HC.
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
        shows what is free now, and when the rest will be. Your email address has to be verified.
      </Answer>
      <Answer question="What happens when a match is cancelled?">
        Both players receive their whole entry back, fee included, at once. A draw is not a cancel: it returns the
        stakes, less the fee.
      </Answer>
      <Answer question="Can I limit myself, or stop altogether?">
        Your{" "}
        <Link href="/profile" className="link">
          profile
        </Link>{" "}
        has limits, breaks of a fixed length, and the closing of your account. Withdrawing is open all the while.
      </Answer>
    </section>
  );
}

export function CommonIssues() {
  return (
    <section className="contact-answers" aria-labelledby="common-issues">
      <h2 id="common-issues">Common issues</h2>
      <Answer question="I paid, and the coins have not come">
        We ask the provider until it is sure. Should your wallet still say pending after an hour, send us the payment's
        reference from there. Do not pay twice.
      </Answer>
      <Answer question="A withdrawal takes long">
        It is sent once and followed up until it is certain. If it fails, the coins come back to your wallet by
        themselves.
      </Answer>
      <Answer question="I lost the connection during a game">
        Come back to the site: it leads you to your game. Your clock goes on while you are away; if the fault was ours,
        the time is credited.
      </Answer>
      <Answer question="No mail arrives">
        Look into the folder for spam, and ask for a new link on your profile. Only the newest link works.
      </Answer>
      <Answer question="My opponent behaved badly">
        Press their name beside the board to mute, block or report them. Reports reach our people.
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
