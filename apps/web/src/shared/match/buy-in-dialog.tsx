import type { GameId } from "@holo/kernel/ids.ts";
import { type Coins, formatCoins, subtractCoins, toKoboOwed } from "@holo/kernel/money.ts";
import type { OpenGameView, PlayerView } from "@holo/protocol/game/games.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { LimitMinutes, Stake } from "@holo/table/stakes.ts";
import { useState } from "react";
import { useSession } from "../../lib/session/session.ts";
import { ButtonLink } from "../../ui/button/button.tsx";
import { type FailureText, RefusalNote } from "../../ui/feedback/failure-note.tsx";
import { Note } from "../../ui/feedback/note.tsx";
import { ConfirmDialog } from "../../ui/overlay/confirm-dialog.tsx";
import { DepositForGame } from "../money/deposit-for-game.tsx";
import { formatNaira } from "../money/naira.ts";
import { OpponentLine } from "../people/opponent-line.tsx";
import { PlayerName } from "../people/player-name.tsx";
import { useSeatRefusal } from "../restrictions/use-seat-refusal.ts";
import { formatGame, toGameTerms } from "./match.ts";
import { OutcomesReceipt, TermsReceipt } from "./terms-receipt.tsx";
import "./buy-in-dialog.css";

interface BuyInDialogProps {
  readonly gameId: GameId;
  readonly game: GameType;
  readonly stake: Stake;
  readonly feeBps: number;
  readonly limitMinutes: LimitMinutes;
  readonly opponent: PlayerView;
  readonly isJoining: boolean;
  readonly onAccept: () => void;
  readonly onClose: () => void;
  /** The page to return to after a deposit. Default: the game's page. */
  readonly page?: string;
}

/** Shows buy-in, remaining balance and payouts before a join (ruling 6). */
export function BuyInDialog(props: BuyInDialogProps) {
  const { game, stake, feeBps, opponent, isJoining, onAccept, onClose } = props;
  const { settings, openGame } = useSession();
  const { rateKobo } = settings;
  const otherGame = openGame === null || openGame.gameId === props.gameId ? null : openGame;
  const balance = useBalanceBefore(isJoining);
  const { buyIn } = toGameTerms(game, stake, feeBps);
  const seatRefusal = useSeatRefusal(stake);
  const restriction = otherGame === null ? seatRefusal : toOpenGameRefusal(otherGame);
  const isShort = restriction === null && balance < buyIn;
  const refusal = isShort ? toShortRefusal(buyIn, balance) : restriction;
  return (
    <ConfirmDialog
      title="Transaction Fee"
      confirmText="Accept & Join"
      busyText={isJoining && "Joining..."}
      disabled={refusal !== null}
      onConfirm={onAccept}
      onClose={onClose}
    >
      <div className="buy-in-dialog">
        <p className="muted">
          {formatGame(game)} against{" "}
          <b className="strong">
            <PlayerName player={opponent} gameId={props.gameId} />
          </b>
          , {props.limitMinutes} minutes each.
        </p>
        <OpponentLine playerId={opponent.id} game={game} stake={stake} />
        {refusal !== null && <RefusalNote refusal={refusal} />}
        {otherGame !== null && (
          <ButtonLink href={`/game/${otherGame.gameId}`} wide>
            {otherGame.status === "waiting" ? "Open Your Match" : "Rejoin Active Game"}
          </ButtonLink>
        )}
        {isShort && (
          <DepositForGame missing={subtractCoins(buyIn, balance)} page={props.page ?? `/game/${props.gameId}`} />
        )}
        <TermsReceipt game={game} stake={stake} feeBps={feeBps} note={formatNaira(toKoboOwed(buyIn, rateKobo))} />
        <OutcomesReceipt game={game} stake={stake} feeBps={feeBps} />
        {refusal === null && <Note>Balance after joining: {formatCoins(subtractCoins(balance, buyIn))} HC.</Note>}
      </div>
    </ConfirmDialog>
  );
}

function toOpenGameRefusal({ status }: OpenGameView): FailureText {
  return toRefusalView(status === "waiting" ? "pending_game_exists" : "active_game_exists");
}

/** The specification's sentence, with what the player has beside what they need. */
function toShortRefusal(need: Coins, have: Coins): FailureText {
  const { title, text } = toRefusalView("insufficient_to_join", { need });
  return { title, text: `${text} You have ${formatCoins(have)} HC.` };
}

/** The balance before the join: afterwards the buy-in is already deducted. */
function useBalanceBefore(isJoining: boolean): Coins {
  const { balance } = useSession();
  const [before, setBefore] = useState(balance);
  if (!isJoining && before !== balance) setBefore(balance);
  return before;
}
