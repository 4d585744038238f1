import { assertNever } from "@holo/kernel/assert.ts";
import { formatCoins } from "@holo/kernel/money.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useSeatRefusal } from "../../../shared/restrictions/use-seat-refusal.ts";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { NoWrapText } from "../../../ui/text/no-wrap-text.tsx";
import { useTableAction } from "../actions/use-table-action.ts";
import { Countdown } from "../clock/ticking-text.tsx";
import { type TableViewModel, toName, toOpponent } from "../view-model.ts";
import { type RematchFunds, type RematchView, toRematchView } from "./rematch-view.ts";

/** What decides whether the player can afford a rematch and is allowed one. */
export function useFunds({ shown: { table } }: TableViewModel): RematchFunds {
  const { balance, settings, openGame } = useSession();
  const refusal = useSeatRefusal(table.stake);
  return { balance, feeBps: settings.feeBps, hasOpenGame: openGame !== null, restriction: refusal?.text ?? null };
}

interface RematchProps {
  readonly viewModel: TableViewModel;
  readonly className?: string;
}

function useRematch(viewModel: TableViewModel): RematchView {
  return toRematchView(viewModel, useFunds(viewModel));
}

/** The cost of a rematch, the reason against it, or the time left to answer. */
export function RematchLine({ viewModel }: RematchProps) {
  const rematch = useRematch(viewModel);
  switch (rematch.type) {
    case "none":
    case "received":
    case "started":
      return null;
    case "offered":
      return (
        <p className="rematch-line">
          Waiting for{" "}
          <span className="unbroken">{viewModel.seat !== null && toName(viewModel, toOpponent(viewModel.seat))}</span>{" "}
          to accept: <Countdown until={rematch.until} unit="seconds" />
        </p>
      );
    case "closed":
      return (
        <p className="rematch-line">
          <NoWrapText text={rematch.reason} />
        </p>
      );
    case "open": {
      const { buyIn, stakeTotal, fee } = rematch.terms;
      return (
        <p className="rematch-line">
          {rematch.lapse !== null && <NoWrapText text={`${rematch.lapse} `} />}
          {rematch.blockedReason === null ? (
            <>
              A rematch costs <b>{formatCoins(buyIn, "up")} HC</b>: {formatCoins(stakeTotal)} + {formatCoins(fee, "up")}{" "}
              fee.
            </>
          ) : (
            <NoWrapText text={rematch.blockedReason} />
          )}
        </p>
      );
    }
    default:
      return assertNever(rematch);
  }
}

export function RematchButton({ viewModel, className = "" }: RematchProps) {
  const rematch = useRematch(viewModel);
  const { running, run } = useTableAction();
  const { gameId } = viewModel.shown.table;
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
        <Button className={className} resting>
          Rematch offered
        </Button>
      );
    case "open":
      return (
        <Button
          kind="primary"
          className={className}
          resting={rematch.blockedReason !== null}
          busy={running !== null && "Offering..."}
          onClick={() => run({ type: "offer_rematch", gameId, feeBps: rematch.feeBps })}
        >
          Offer Rematch
        </Button>
      );
    default:
      return assertNever(rematch);
  }
}
