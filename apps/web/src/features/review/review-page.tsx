import { type GameId, isGameId, type PlayerId } from "@holo/kernel/ids.ts";
import { type ReactNode, startTransition, useEffect, useState } from "react";
import { useRoute } from "wouter";
import { useActiveGame, useSession } from "../../lib/session/session.ts";
import { FinishGameFirst } from "../../shared/restrictions/finish-game-first.tsx";
import { Button, ButtonLink } from "../../ui/button/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Loading } from "../../ui/feedback/skeleton.tsx";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import { type LoadedReview, loadReview } from "./load-review.ts";
import { ReviewScreen } from "./review-screen.tsx";
import "./review.css";

/** A player's own finished game, judged by the computer on this device. */
export default function ReviewPage() {
  usePageTitle("Review");
  const [, params] = useRoute<{ gameId: string }>("/game/:gameId/review");
  const { player } = useSession();
  const activeGame = useActiveGame();
  const gameId = params?.gameId ?? "";
  // What is behind it goes, and the computer with it.
  if (activeGame !== null)
    return (
      <div className="no-review">
        <FinishGameFirst activeGame={activeGame} waiting="Your review waits here until your game is over." />
      </div>
    );
  if (!isGameId(gameId) || player === null) return <MissingGame />;
  return <LoadingReview key={`${gameId} ${player.id}`} gameId={gameId} playerId={player.id} />;
}

function LoadingReview({ gameId, playerId }: { readonly gameId: GameId; readonly playerId: PlayerId }) {
  const [loaded, setLoaded] = useState<LoadedReview | null>(null);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads again
  useEffect(() => {
    let isWanted = true;
    void loadReview(gameId, playerId).then((review) => {
      // In slices, so that the page still answers to a press.
      if (isWanted) startTransition(() => setLoaded(review));
    });
    return () => {
      isWanted = false;
    };
  }, [gameId, playerId, tries]);

  function tryAgain(): void {
    setLoaded(null);
    setTries(tries + 1);
  }

  switch (loaded?.type) {
    case undefined:
      return <Loading text="Loading review..." onTryAgain={tryAgain} />;
    case "ready":
      return <ReviewScreen review={loaded} />;
    case "missing":
      return <MissingGame />;
    case "none":
      return (
        <NoReview
          title={loaded.title}
          text={loaded.text}
          action={<ButtonLink href={`/game/${gameId}`}>Open the game</ButtonLink>}
        />
      );
    case "failed":
      return <NoReview title="Review" text={loaded.text} action={<Button onClick={tryAgain}>Try again</Button>} />;
  }
}

function MissingGame() {
  return (
    <NoReview
      title="No such game"
      text="There's no game at this address. Check the link."
      action={<ButtonLink href="/matches">Matches</ButtonLink>}
    />
  );
}

interface NoReviewProps {
  readonly title: string;
  readonly text: string;
  readonly action: ReactNode;
}

function NoReview(props: NoReviewProps) {
  return (
    <div className="no-review">
      <EmptyState {...props} />
    </div>
  );
}
