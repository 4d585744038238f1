import { Link } from "wouter";
import { useSession } from "../../lib/session/session.ts";
import { formatPercent, formatRate } from "../../shared/money/naira.ts";
import { TextPage, TextSection } from "./text-page.tsx";

export default function AboutPage() {
  const { rateKobo, feeBps } = useSession().settings;
  return (
    <TextPage
      title="About"
      lead="Holo Arena is a place to play checkers and chess against one other person, on the clock, for holocoins that you both put in."
    >
      <TextSection title="How a match works">
        <p>
          You choose a game, a stake for each piece, and five or ten minutes for each player. Whoever joins puts in the
          same. The winner receives both stakes; after a draw each player's stake comes back. The platform earns a fee
          of {formatPercent(feeBps)} of each stake, paid with the entry and shown before you accept.
        </p>
        <p>
          Checkers are Russian draughts: men capture backwards too, kings fly, and whoever can capture has to. Chess
          follows the usual rules; a pawn becomes a queen unless you switch on the choice.
        </p>
      </TextSection>
      <TextSection title="Skill decides">
        <p>
          There are no dice and no cards. The same position, the same clock and the same stake for both: what decides is
          how you play. The house never plays for coins; the computer is for practice alone.
        </p>
      </TextSection>
      <TextSection title="Why you can trust a result">
        <ul>
          <li>Our server alone decides what is legal, whose turn it is, how much time is left and who has won.</li>
          <li>
            Every game keeps a record in which each entry seals the one before it. Once it is over, anyone can check it
            on the game's page.
          </li>
          <li>
            Every coin is booked twice, from one account to another, and never changed afterwards. Your wallet shows
            each entry that touched it.
          </li>
          <li>When we are out of reach, no player's clock pays for it.</li>
        </ul>
      </TextSection>
      <TextSection title="Holocoins and naira">
        <p>
          {formatRate(rateKobo)}. Coins are bought and paid out in naira through Paystack, our payment provider; your
          card never passes through our hands. What may be withdrawn, and when the rest becomes free, stands in your
          wallet.
        </p>
      </TextSection>
      <TextSection title="Play for what you can spare">
        <p>
          You have to be 18 or older. Anyone can lose, and nobody should stake what they need. Your profile has limits
          on deposits, on the stake and on the length of a session, and a break that nobody can end early, neither you
          nor we.
        </p>
        <p>
          Questions?{" "}
          <Link href="/contact" className="link">
            Write to us
          </Link>
          .
        </p>
      </TextSection>
    </TextPage>
  );
}
