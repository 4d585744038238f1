import { Suspense, useCallback, useState } from "react";
import { latePart } from "../../lib/late-part.ts";
import { currentNativeHost } from "../../lib/native-host.ts";
import { useSession } from "../../lib/session.ts";
import { BreakNotice } from "../../ui/break-notice.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { usePageTitle } from "../../ui/page-title.ts";
import { isBarred } from "../../ui/permit.ts";
import { useIdle } from "../../ui/use-idle.ts";
import { useLimits } from "../../ui/use-limits.ts";
import { HowItWorks } from "./how-it-works.tsx";
import { Rate } from "./rate.tsx";
import { ReadyToPlay } from "./ready-to-play.tsx";
import { RecentAhead } from "./recent-ahead.tsx";
import "./home-page.css";

const Downloads = latePart(() => import("./downloads.tsx"));
const LiveNumbers = latePart(() => import("./live-numbers.tsx"));
const RecentMatches = latePart(() => import("./recent-matches.tsx"));

export default function HomePage() {
  const { player, openGame, settings } = useSession();
  const isOnBreak = isBarred(useLimits());
  const isIdle = useIdle();
  const [isPlayable, setPlayable] = useState(false);
  /** What is less than the page itself may come. */
  const isSettled = player === null ? isPlayable : isIdle;
  const tellPlayable = useCallback(() => setPlayable(true), []);
  usePageTitle(player === null ? "Stake with HC Coins" : "Home");
  return (
    <>
      <section className={player === null ? "hero" : "hero of-player"}>
        <div>
          <p className="tagline">Play game. Set stakes. Win coins.</p>
          <h1>Stake with HC Coins</h1>
          <p className="subline">Play Games and Win Holocoins!</p>
          <BreakNotice />
          <div className="hero-acts">
            {player === null ? (
              <>
                <ButtonLink href="/login" kind="primary" size="large">
                  Login to Play
                </ButtonLink>
                <ButtonLink href="/register" size="large">
                  Create Account
                </ButtonLink>
              </>
            ) : openGame?.status === "active" ? (
              <ButtonLink href={`/game/${openGame.gameId}`} kind="primary" size="large" className="rejoin">
                Rejoin Active Game
              </ButtonLink>
            ) : (
              <>
                {!isOnBreak && (
                  <ButtonLink href="/create-match" kind="primary" size="large">
                    Create a Match
                  </ButtonLink>
                )}
                <ButtonLink href="/matches" size="large">
                  Browse Matches
                </ButtonLink>
              </>
            )}
          </div>
          {/* read where it stands: told with each change, it would be told all the time */}
          <div className="live-numbers">
            {isSettled && (
              <Suspense>
                <LiveNumbers />
              </Suspense>
            )}
          </div>
        </div>
        {player === null ? (
          <ReadyToPlay rateKobo={settings.rateKobo} onPlayable={tellPlayable} />
        ) : (
          <div>
            <Suspense fallback={<RecentAhead />}>
              <RecentMatches playerId={player.id} />
            </Suspense>
            <Rate rateKobo={settings.rateKobo} />
          </div>
        )}
      </section>
      <HowItWorks feeBps={settings.feeBps} />
      {currentNativeHost() === null && (
        <div className="downloads-room">
          {isSettled && (
            <Suspense>
              <Downloads />
            </Suspense>
          )}
        </div>
      )}
    </>
  );
}
