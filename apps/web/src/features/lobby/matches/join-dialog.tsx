import type { MatchView } from "@holo/protocol/game/games.ts";
import { BuyInDialog } from "../../../shared/match/buy-in-dialog.tsx";
import { useJoin } from "../use-join.ts";

interface JoinDialogProps {
  readonly match: MatchView;
  readonly invitation?: string;
  readonly onClose: () => void;
}

export default function JoinDialog({ match, invitation, onClose }: JoinDialogProps) {
  const { isJoining, join } = useJoin(match, invitation, onClose);
  return (
    <BuyInDialog
      gameId={match.id}
      game={match.game}
      stake={match.stake}
      feeBps={match.feeBps}
      limitMinutes={match.limitMinutes}
      opponent={match.white}
      isJoining={isJoining}
      onAccept={join}
      onClose={onClose}
      {...(invitation !== undefined && { page: `/invite/${invitation}` })}
    />
  );
}
