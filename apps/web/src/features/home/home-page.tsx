import { wholeCoins } from "@holo/kernel/money.ts";
import { Suspense, useCallback, useEffect, useState } from "react";
import { useIdle } from "../../lib/chunks/idle.ts";
import { lazyChunk } from "../../lib/chunks/lazy-chunk.ts";
import { currentNativeHost } from "../../lib/native/native-host.ts";
import { useSession } from "../../lib/session/session.ts";
import { CoolDownNote, RestrictionNote } from "../../shared/restrictions/restriction-note.tsx";
import { useMayPlay } from "../../shared/restrictions/use-may-play.ts";
import { ButtonLink } from "../../ui/button/button.tsx";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import { ExchangeRate } from "./exchange-rate.tsx";
import { PracticeSection } from "./practice/practice-section.tsx";
import { RecentMatchesPlaceholder } from "./recent-matches-placeholder.tsx";
import "./home-page.css";

const CreateLinks = lazyChunk(() => import("./create-links.tsx"));
const Downloads = lazyChunk(() => import("./downloads.tsx"));
const HomeMatches = lazyChunk(() => import("./home-matches.tsx"));
const HowItWorks = lazyChunk(() => import("./how-it-works.tsx"));
const LiveBoards = lazyChunk(() => import("./live-boards.tsx"));
const LiveNumbers = lazyChunk(() => import("./live-numbers.tsx"));
const PendingMatch = lazyChunk(() => import("./pending-match.tsx"));
const RecentMatches = lazyChunk(() => import("./recent-matches.tsx"));

/** With less, it is computed whether they pay for a game at all. */
const FEW_COINS = wholeCoins(20);

/** On a return to the page its end is there at once, so that Tab and a printout reach it. */
let wasIdle = false;

export default function HomePage() {
  const { player, settings } = useSession();
  const isIdle = useIdle() || wasIdle;
  const [isPlayable, setPlayable] = useState(false);
  /** Secondary content loads only after the main content is interactive. */
  const isSettled = player === null ? isPlayable : isIdle;
  useEffect(() => {
    wasIdle = isIdle;
  }, [isIdle]);
  const handlePlayable = useCallback(() => setPlayable(true), []);
  usePageTitle(player === null ? "Stake with HC Coins" : "Home");
  return (
    <>
      <section className={player === null ? "hero" : "hero of-player"}>
        <div>
          <p className="tagline">Play game. Set stakes. Win coins.</p>
          <h1>Stake with HC Coins</h1>
          <p className="subline">Play Games and Win Holocoins!</p>
          <RestrictionNote />
          <CoolDownNote />
          <div className="hero-actions">
            <HeroActions />
          </div>
          {/* no live region: it would announce every change */}
          <div className="live-numbers">
            {isSettled && (
              <Suspense>
                <LiveNumbers />
              </Suspense>
            )}
          </div>
          {player !== null && isSettled && (
            <Suspense>
              <HomeMatches playerId={player.id} />
            </Suspense>
          )}
        </div>
        {player === null ? (
          <PracticeSection rateKobo={settings.rateKobo} onPlayable={handlePlayable} />
        ) : (
          <div>
            <Suspense fallback={<RecentMatchesPlaceholder />}>
              <RecentMatches playerId={player.id} />
            </Suspense>
            <ExchangeRate rateKobo={settings.rateKobo} />
          </div>
        )}
      </section>
      {/* A cheap phone needs longer to lay out How It Works than the part above. */}
      {isIdle ? (
        <Suspense fallback={<div className="rest-ahead" />}>
          <HowItWorks feeBps={settings.feeBps} isVisitor={player === null} />
        </Suspense>
      ) : (
        <div className="rest-ahead" />
      )}
      {player === null && isIdle && isSettled && (
        <Suspense>
          <LiveBoards />
        </Suspense>
      )}
      {isIdle && currentNativeHost() === null && (
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

function HeroActions() {
  const { player, openGame, balance } = useSession();
  const mayPlay = useMayPlay();
  if (player === null) {
    return (
      <>
        <ButtonLink href="/register" kind="primary" size="large">
          Create Account
        </ButtonLink>
        <ButtonLink href="/login" size="large">
          Login to Play
        </ButtonLink>
      </>
    );
  }
  if (openGame?.status === "active") {
    return (
      <ButtonLink href={`/game/${openGame.gameId}`} kind="primary" size="large" className="rejoin">
        Rejoin Active Game
      </ButtonLink>
    );
  }
  const create = (
    <ButtonLink href="/create-match" kind="primary" size="large">
      Create a Match
    </ButtonLink>
  );
  return (
    <>
      {openGame !== null ? (
        <Suspense fallback={<div className="pending-match-ahead" />}>
          <PendingMatch gameId={openGame.gameId} />
        </Suspense>
      ) : (
        mayPlay && (
          <Suspense fallback={create}>{balance < FEW_COINS ? <CreateLinks create={create} /> : create}</Suspense>
        )
      )}
      <ButtonLink href="/matches" size="large">
        Browse Matches
      </ButtonLink>
    </>
  );
}
