import { assertNever } from "@holo/kernel/assert.ts";
import { formatCoins } from "@holo/kernel/money.ts";
import { toGameFeeBps } from "@holo/table/platform-fee.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useConnection } from "../../../lib/socket/socket.ts";
import { useSeatRefusal } from "../../../shared/restrictions/use-seat-refusal.ts";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { GuardedButton } from "../../../ui/button/guarded-button.tsx";
import { NoHyphenBreakText } from "../../../ui/text/no-hyphen-break-text.tsx";
import { useTableAction } from "../actions/use-table-action.ts";
import { Countdown } from "../clock/ticking-text.tsx";
import { toCutOffText } from "../status/turn-text.ts";
import { type TableViewModel, toName, toOpponent } from "../view-model.ts";
import { type RematchFunds, type RematchView, toRematchView } from "./rematch-view.ts";

export function useFunds({ shown: { table } }: TableViewModel): RematchFunds {
  const { balance, settings, openGame } = useSession();
  const refusal = useSeatRefusal(table.stake);
  return {
    balance,
    feeBps: toGameFeeBps(table.stake, settings.feeBps),
    hasOpenGame: openGame !== null && openGame.gameId !== table.gameId,
    restriction: refusal?.text ?? null,
  };
}

interface RematchProps {
  readonly viewModel: TableViewModel;
  readonly className?: string;
}

function useRematch(viewModel: TableViewModel): RematchView {
  return toRematchView(viewModel, useFunds(viewModel));
}

export function RematchNews({ viewModel }: RematchProps) {
  const rematch = useRematch(viewModel);
  const cutOff = toCutOffText(useConnection());
  // Phones hide the header, which says it elsewhere.
  if (cutOff !== "") return <p className="rematch-line news">{cutOff}</p>;
  switch (rematch.type) {
    case "none":
    case "received":
    case "started":
      return null;
    case "offered":
      return (
        <p className="rematch-line news">
          Waiting for{" "}
          <span className="unbroken" translate="no">
            {viewModel.seat !== null && toName(viewModel, toOpponent(viewModel.seat))}
          </span>{" "}
          to accept: <Countdown until={rematch.until} unit="seconds" />
        </p>
      );
    case "closed":
    case "open": {
      const text = rematch.type === "closed" ? rematch.reason : toOpenNews(rematch);
      return (
        text !== null && (
          <p className="rematch-line news">
            <NoHyphenBreakText text={text} />
          </p>
        )
      );
    }
    default:
      return assertNever(rematch);
  }
}

function toOpenNews({ lapse, blockedReason }: Extract<RematchView, { type: "open" }>): string | null {
  const parts = [lapse, blockedReason].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(" ");
}

export function RematchCost({ viewModel }: RematchProps) {
  const rematch = useRematch(viewModel);
  if (rematch.type !== "open" || rematch.blockedReason !== null || viewModel.isFree) return null;
  const { buyIn, stakeTotal, fee } = rematch.terms;
  return (
    <p className="rematch-line">
      A rematch costs <b>{formatCoins(buyIn, "up")} HC</b>: {formatCoins(stakeTotal)} + {formatCoins(fee, "up")} fee.
    </p>
  );
}

export function RematchButton({ viewModel, className = "" }: RematchProps) {
  const rematch = useRematch(viewModel);
  const { running, run } = useTableAction();
  const { gameId, boardVersion, result } = viewModel.shown.table;
  // A lost stake is never followed by a call for another one.
  const isCalm = !viewModel.isFree && result?.winner !== viewModel.seat && result?.winner !== null;
  switch (rematch.type) {
    case "none":
    case "received":
    case "closed":
      return null;
    case "started":
      return (
        <ButtonLink kind="primary" href={`/game/${rematch.gameId}`} className={className}>
          {viewModel.seat === null ? "Watch the rematch" : "Go to the rematch"}
        </ButtonLink>
      );
    case "offered":
      return (
        // The same component as before, so that the button keeps its focus.
        <GuardedButton className={className} resting>
          Rematch offered
        </GuardedButton>
      );
    case "open":
      return (
        <GuardedButton
          kind={isCalm ? "secondary" : "primary"}
          className={className}
          meaning={boardVersion}
          resting={rematch.blockedReason !== null}
          busy={running !== null && "Offering..."}
          onClick={() => run({ type: "offer_rematch", gameId, feeBps: rematch.feeBps })}
        >
          Offer Rematch <small>{viewModel.isFree ? "Free" : `${formatCoins(rematch.terms.buyIn, "up")} HC`}</small>
        </GuardedButton>
      );
    default:
      return assertNever(rematch);
  }
}
