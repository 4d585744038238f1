import type { FairPlayYearView } from "@holo/protocol/fair-play.ts";
import { APPEAL_DAYS } from "@holo/protocol/fair-play-terms.ts";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { callApi } from "../../lib/api/api.ts";
import { Table } from "../../ui/data/table.tsx";
import { Loading } from "../../ui/feedback/skeleton.tsx";
import { TextPage, TextSection } from "./text-page.tsx";
import "./fair-play-page.css";

/** Never signals or thresholds: they would help only those who cheat. */
export default function FairPlayPage() {
  return (
    <TextPage
      title="Fair Play"
      lead="A game for coins is only worth playing if both players try to win. Here's how we look after that."
    >
      <TextSection title="What fair play means">
        <ul>
          <li>You play for yourself, without help from a program or another person.</li>
          <li>You try to win. You don't lose on purpose, and you don't agree on a result before the game.</li>
          <li>You use games to play, not to move coins from one account to another.</li>
        </ul>
        <p>
          Playing with friends and family is fine. So is losing, giving up a bad position, and having a very good day.
        </p>
      </TextSection>
      <TextSection title="What we check">
        <p>
          When you withdraw, we look at where the coins come from: the deposits they were bought with, and the games
          they were won in. A program does this in a moment, and almost every withdrawal is sent right away. We don't
          say in detail what it looks at, because that would only help cheats.
        </p>
      </TextSection>
      <TextSection title="If something is held">
        <ul>
          <li>Only the coins in question wait. The rest of your withdrawal is sent right away.</li>
          <li>
            They wait 72 hours at most, and are then sent by themselves, unless two of us decide otherwise. Your wallet
            shows the day and time.
          </li>
          <li>It isn't a verdict. It happens to honest players too, and no other player sees it.</li>
          <li>You can go on playing and depositing.</li>
          <li>You can write to us from your wallet, right beside the withdrawal. A person reads it.</li>
        </ul>
        <p>If all was in order, we send the coins, and these games aren't checked again.</p>
      </TextSection>
      <TextSection title="Who decides">
        <p>
          A program can only make coins wait. People decide. One member of our team is enough to send them. To take
          coins away, two members have to agree, and nobody decides about themselves or about a game of their own.
        </p>
        <p>
          Coins that are taken away go back to the players who lost them. We keep none of them. Coins that you won
          fairly stay yours, even if your opponent's bank takes back the money they deposited.
        </p>
      </TextSection>
      <TextSection title="If we decide against you">
        <p>
          Your wallet lists the games it's about. You can appeal once, within {APPEAL_DAYS} days, and someone new, who
          had no part in the decision, answers you. If we were wrong, you get your coins back, and we pay for it.
        </p>
      </TextSection>
      <TextSection title="If you suspect someone">
        <p>
          Report them: on the game's page, or on their profile. We read every report and tell you the result. What we
          find out about other players stays with us.
        </p>
        <p>
          The rules are in the{" "}
          <Link href="/terms" className="link">
            Terms of Service
          </Link>
          , and what we store is in the{" "}
          <Link href="/privacy" className="link">
            Privacy Policy
          </Link>
          .
        </p>
      </TextSection>
      <TextSection title="In numbers">
        <Years />
      </TextSection>
    </TextPage>
  );
}

function Years() {
  const [years, setYears] = useState<readonly FairPlayYearView[] | "missing" | null>(null);
  useEffect(() => {
    let isShown = true;
    void callApi("fairPlayYears", {}).then((answer) => {
      if (isShown) setYears(answer.ok ? answer.value.years : "missing");
    });
    return () => {
      isShown = false;
    };
  }, []);
  if (years === null) return <Loading text="Loading numbers..." />;
  if (years === "missing") return <p className="muted">We couldn't load the numbers. Please try again in a moment.</p>;
  if (years.length === 0) return <p>No withdrawals yet, so there's nothing to count.</p>;
  return years.map((year) => <Year key={year.year} year={year} />);
}

function Year({ year: { year, meanHours, ...counts } }: { readonly year: FairPlayYearView }) {
  const rows: readonly (readonly [string, number])[] = [
    ["Withdrawals", counts.withdrawals],
    ["Of them, coins held", counts.held],
    ["Sent after a check", counts.cleared],
    ["Sent by themselves", counts.released],
    ["Given back to those who lost them", counts.forfeited],
    ["Appeals", counts.appeals],
    ["Appeals accepted", counts.accepted],
  ];
  return (
    <div className="fair-play-year">
      <h3>{year}</h3>
      <Table caption={`Fair play in ${year}`} columns={[{ text: "What" }, { text: "Times", figures: true }]}>
        {rows.map(([text, count]) => (
          <tr key={text}>
            <td>{text}</td>
            <td className="figures">{count.toLocaleString("en")}</td>
          </tr>
        ))}
      </Table>
      {meanHours !== null && <p className="small muted">A hold lasted {formatHours(meanHours)} on average.</p>}
    </div>
  );
}

function formatHours(hours: number): string {
  const whole = Math.max(1, Math.round(hours));
  return whole === 1 ? "1 hour" : `${whole} hours`;
}
