import { GAMES } from "@holo/rules/registry.ts";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { callApi } from "../../lib/api/api.ts";
import { useSession } from "../../lib/session/session.ts";
import { formatGames, formatLimits } from "../../shared/match/offer-texts.ts";
import { formatPercent, formatRate } from "../../shared/money/naira.ts";
import { TextPage, TextSection } from "./text-page.tsx";

export default function AboutPage() {
  const { rateKobo, feeBps } = useSession().settings;
  const version = useVersion();
  return (
    <TextPage
      title="About"
      lead={`Holo Arena is a place to play ${formatGames()} against one other person, on the clock, for holocoins that you both stake.`}
    >
      <TextSection title="How a match works">
        <p>
          You choose a game, a stake for each piece, and {formatLimits()} for each player. Your opponent stakes the
          same. The winner gets both stakes. After a draw, each player gets their stake back. The platform earns a fee
          of {formatPercent(feeBps)} of each stake, paid with the entry and shown before you accept. You can also play
          free, with no stake and no fee.
        </p>
        <p>{GAMES.map(({ about }) => about).join(" ")}</p>
      </TextSection>
      <TextSection title="Skill decides">
        <p>
          There are no dice and no cards. You both get the same position, clock and stake, so only your play decides. We
          never play for coins ourselves. The computer is for practice only.
        </p>
      </TextSection>
      <TextSection title="Why you can trust a result">
        <ul>
          <li>Our server alone decides what is legal, whose turn it is, how much time is left and who has won.</li>
          <li>
            Every game keeps a record that can't be changed unseen. Once the game is over, anyone can check it on the
            game's page.
          </li>
          <li>
            Every coin is booked twice, from one account to another, and never changed afterwards. Your wallet shows
            each entry that touched it.
          </li>
          <li>If our service goes down, nobody's clock pays for it.</li>
        </ul>
      </TextSection>
      <TextSection title="Holocoins and naira">
        <p>
          {formatRate(rateKobo)}. Coins are bought and paid out in naira through Paystack, our payment provider; we
          never see your card. Your wallet shows what you can withdraw and when the rest becomes available.
        </p>
      </TextSection>
      <TextSection title="Play for what you can spare">
        <p>
          You have to be 18 or older. Anyone can lose, so never stake money you need. Your profile has limits on
          deposits, on the stake and on the length of a session, and breaks that nobody can end early, not even us.
        </p>
        <p>
          Questions?{" "}
          <Link href="/contact" className="link">
            Write to us
          </Link>
          .
        </p>
        {version !== null && <p>This is version {version}.</p>}
      </TextSection>
    </TextPage>
  );
}

/** Null until it is known, or if it cannot be. */
function useVersion(): string | null {
  const [version, setVersion] = useState<string | null>(null);
  useEffect(() => {
    void callApi("contact", {}).then((answer) => {
      if (answer.ok) setVersion(answer.value.version);
    });
  }, []);
  return version;
}
