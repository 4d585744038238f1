import type { GameId } from "@holo/kernel/ids.ts";
import { ButtonLink } from "../../ui/button/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";

interface FinishGameFirstProps {
  readonly activeGame: GameId;
  /** What waits for the end of the game. */
  readonly waiting: string;
}

/** In place of whatever helps with a position, while the player's game runs. */
export function FinishGameFirst({ activeGame, waiting }: FinishGameFirstProps) {
  return (
    <EmptyState
      title="Finish your game first"
      text={`The computer helps with no position while you play. ${waiting}`}
      action={
        <ButtonLink href={`/game/${activeGame}`} kind="primary">
          To your game
        </ButtonLink>
      }
    />
  );
}
