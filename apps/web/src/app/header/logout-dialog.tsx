import type { GameId } from "@holo/kernel/ids.ts";
import { formatCoins } from "@holo/kernel/money.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { CLOCK_STARTS_AFTER_PLIES, FIRST_MOVE_LIMIT_MS } from "@holo/table/clock.ts";
import { useEffect, useState } from "react";
import { callApi } from "../../lib/api/api.ts";
import { toMatchTerms } from "../../shared/match/match.ts";
import { ConfirmDialog } from "../../ui/overlay/confirm-dialog.tsx";
import "./logout-dialog.css";

interface LogoutDialogProps {
  readonly gameId: GameId;
  readonly playerId: string;
  readonly onStay: () => void;
  readonly onLogout: () => void;
}

/** Confirms a logout during a running game: the clock continues and coins are at stake. */
export default function LogoutDialog({ gameId, playerId, onStay, onLogout }: LogoutDialogProps) {
  const match = useMatch(gameId);
  return (
    <ConfirmDialog
      title="Log out of a running game?"
      cancelText="Stay"
      confirmText="Log out"
      kind="danger"
      onConfirm={onLogout}
      onClose={onStay}
    >
      <div className="logout-dialog">
        <p className="muted">
          Your game goes on without you, and so does your clock
          {match !== null && (
            <>
              : you have <b>{match.limitMinutes} minutes</b> for the whole game
            </>
          )}
          . When it runs out, you lose.
          {match !== null && match.moveCount < CLOCK_STARTS_AFTER_PLIES && (
            <>
              {" "}
              Your first move has a limit of <b>{FIRST_MOVE_LIMIT_MS / 1_000} seconds</b>. If you miss it, the game is
              cancelled.
            </>
          )}
        </p>
        {match !== null && <AtStake match={match} playerId={playerId} />}
      </div>
    </ConfirmDialog>
  );
}

function AtStake({ match, playerId }: { readonly match: MatchView; readonly playerId: string }) {
  const { buyIn, winnings } = toMatchTerms(match);
  const opponent = match.white.id === playerId ? match.black : match.white;
  return (
    <p className="muted">
      At stake are the <b>{formatCoins(buyIn, "up")} HC</b> you paid to play. If you lose,{" "}
      <span className="unbroken" translate="no">
        {opponent?.username ?? "your opponent"}
      </span>{" "}
      receives <b>{formatCoins(winnings)} HC</b>.
    </p>
  );
}

/** Null while it loads and if it cannot be loaded. The dialog works without it. */
function useMatch(gameId: GameId): MatchView | null {
  const [match, setMatch] = useState<MatchView | null>(null);
  useEffect(() => {
    let isShown = true;
    void callApi("match", { params: { id: gameId } }).then((answer) => {
      if (isShown && answer.ok) setMatch(answer.value);
    });
    return () => {
      isShown = false;
    };
  }, [gameId]);
  return match;
}
