import type { MatchView } from "@holo/protocol/game/games.ts";
import { useState } from "react";
import { BuyInDialog } from "../../../shared/match/buy-in-dialog.tsx";
import { sendMatchCommand } from "../../../shared/match/match-commands.ts";
import { notify } from "../../../ui/overlay/notify.ts";
import { useGameStart } from "../use-game-start.ts";

interface JoinDialogProps {
  readonly match: MatchView;
  readonly invitation?: string;
  readonly onClose: () => void;
}

export default function JoinDialog({ match, invitation, onClose }: JoinDialogProps) {
  const [isJoining, setJoining] = useState(false);
  const startGame = useGameStart();

  async function join(): Promise<void> {
    setJoining(true);
    const answer = await sendMatchCommand({
      type: "join",
      gameId: match.id,
      ...(invitation !== undefined && { invitation }),
    });
    if (answer.type === "refused") return onClose();
    notify({ kind: "done", title: "Joined match!", text: "Starting game..." });
    startGame(answer.gameId);
  }

  return (
    <BuyInDialog
      gameId={match.id}
      game={match.game}
      stake={match.stake}
      feeBps={match.feeBps}
      limitMinutes={match.limitMinutes}
      opponent={match.white}
      isJoining={isJoining}
      onAccept={() => void join()}
      onClose={onClose}
      {...(invitation !== undefined && { page: `/invite/${invitation}` })}
    />
  );
}
