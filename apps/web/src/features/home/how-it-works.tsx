import { formatLimits, formatPieceCounts, formatStakes } from "../../shared/match/offer-texts.ts";
import { formatPercent } from "../../shared/money/naira.ts";
import { Coin } from "../../ui/icon/coin.tsx";
import { Disc } from "../../ui/icon/disc.tsx";
import { Facts } from "./facts.tsx";
import "./how-it-works.css";

interface HowItWorksProps {
  readonly feeBps: number;
  readonly isVisitor: boolean;
}

export default function HowItWorks({ feeBps, isVisitor }: HowItWorksProps) {
  return (
    <>
      {isVisitor && <Facts feeBps={feeBps} />}
      <section className="how-it-works" aria-labelledby="how-it-works">
        <h2 id="how-it-works">How It Works</h2>
        <ol>
          <li>
            <div className="art">
              <svg width="60" height="60" viewBox="0 0 100 100" aria-hidden="true">
                <use href="#disc-1" />
                <text x="50" y="50" className="stake">
                  5
                </text>
              </svg>
            </div>
            <h3>Choose Your Stake</h3>
            <p>
              {formatStakes()} on every piece. {formatPieceCounts()}. You see the full entry, fee included, before you
              accept.
            </p>
          </li>
          <li>
            <div className="art">
              <Disc seat={2} size={60} className="behind" />
              <Disc seat={1} size={60} crowned className="before" />
            </div>
            <h3>Capture & Win</h3>
            <p>{formatLimits()} each, on the clock. Win on the board, or when the other clock runs out.</p>
          </li>
          <li>
            <div className="art">
              <Coin size={60} />
            </div>
            <h3>Earn Holocoins</h3>
            <p>
              The winner receives both stakes. A draw returns each stake. The platform fee is {formatPercent(feeBps)},
              paid with your entry.
            </p>
          </li>
        </ol>
      </section>
    </>
  );
}
