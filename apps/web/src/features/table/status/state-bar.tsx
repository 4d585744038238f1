import { isOpen } from "@holo/table/state.ts";
import { memo, useState } from "react";
import { Link } from "wouter";
import { useSession } from "../../../lib/session/session.ts";
import { useConnection } from "../../../lib/socket/socket.ts";
import { ApproximateNaira } from "../../../shared/money/approximate-naira.tsx";
import { CoinAmount } from "../../../shared/money/coin-amount.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { NoHyphenBreakText } from "../../../ui/text/no-hyphen-break-text.tsx";
import type { OwnMoveControls } from "../board/own-move.ts";
import { Countdown } from "../clock/ticking-text.tsx";
import { useUnsent } from "../clock/use-unsent.ts";
import type { GameHistory } from "../history/history.ts";
import type { TableViewModel } from "../view-model.ts";
import { ConfirmBar } from "./confirm-bar.tsx";
import { PastBar } from "./past-bar.tsx";
import { toPageTitle, toTurnText } from "./turn-text.ts";

interface TurnBannerProps {
  readonly viewModel: TableViewModel;
  readonly onPremoveCancel: () => void;
}

const TurnBanner = memo(function TurnBanner({ viewModel, onPremoveCancel }: TurnBannerProps) {
  const { title, detail, until, unit, isOwn, hasPremove } = toTurnText(
    viewModel,
    useConnection(),
    useUnsent(viewModel),
  );
  const isActive = viewModel.turn !== null;
  if (useLoggedOut(viewModel)) return <LoggedOutBanner />;
  return (
    <div className={classes("turn-banner", isOwn && "own", !isActive && "waiting", until !== null && "urgent")}>
      <i className="bar" />
      {/* New elements, since moved text would count as a layout shift. */}
      <div key={`${title} ${detail}`} className="words">
        <h1>
          <NoHyphenBreakText text={title} />
        </h1>
        <p>
          {detail}
          {hasPremove && (
            <button type="button" className="link premove-set" onClick={onPremoveCancel}>
              Premove set, tap to cancel
            </button>
          )}
          {until !== null && (
            <>
              {" "}
              <Countdown until={until} unit={unit} />
              {unit === "minutes" && "."}
            </>
          )}
        </p>
      </div>
      {isActive && (
        <p className="pot-line">
          {viewModel.isFree ? (
            "Free game"
          ) : (
            <>
              Winner receives <CoinAmount coins={viewModel.terms.winnings} />{" "}
              <ApproximateNaira coins={viewModel.terms.winnings} />
            </>
          )}
        </p>
      )}
    </div>
  );
});

function useLoggedOut({ seat }: TableViewModel): boolean {
  const { player } = useSession();
  const [hasSat, setSat] = useState(false);
  if (seat !== null && !hasSat) setSat(true);
  return hasSat && player === null;
}

/** Otherwise the board would look like a spectator's while a clock may run. */
function LoggedOutBanner() {
  return (
    <div className="turn-banner own urgent">
      <i className="bar" />
      <div className="words">
        <h1>You are logged out</h1>
        <p>
          Your game goes on.{" "}
          <Link href="/login" className="link">
            Log in to play
          </Link>
        </p>
      </div>
    </div>
  );
}

interface StateBarProps {
  readonly viewModel: TableViewModel;
  readonly history: GameHistory;
  readonly ownMove: OwnMoveControls;
  readonly onPremoveCancel: () => void;
}

/** In order of importance: an earlier position, a move to confirm, whose turn it is. */
export function StateBar({ viewModel, history, ownMove, onPremoveCancel }: StateBarProps) {
  const { move, confirm, undo } = ownMove;
  // The result replaces it, and the steps name the earlier position.
  if (!isOpen(viewModel.shown.table.status)) return null;
  if (history.isPast) return <PastBar history={history} turnTitle={toPageTitle(viewModel, null)} />;
  if (move.type === "tentative") return <ConfirmBar text={move.text} onConfirm={confirm} onUndo={undo} />;
  return <TurnBanner viewModel={viewModel} onPremoveCancel={onPremoveCancel} />;
}
