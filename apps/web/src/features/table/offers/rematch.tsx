import { assertNever } from "@holo/kernel/assert.ts";
import { formatCoins } from "@holo/kernel/money.ts";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { NoWrapText } from "../../../ui/text/no-wrap-text.tsx";
import { useTableAction } from "../actions/use-table-action.ts";
import { Countdown } from "../clock/countdown.tsx";
import { type TableViewModel, toName, toOpponent } from "../view-model.ts";
import { type RematchView, toRematchView } from "./rematch-view.ts";
import { useFunds } from "./use-funds.ts";

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
          <NoWrapText text={rematch.why} />
        </p>
      );
    case "open": {
      const { buyIn, stakeTotal, fee } = rematch.terms;
      return (
        <p className="rematch-line">
          {rematch.told !== null && <NoWrapText text={`${rematch.told} `} />}
          {rematch.why === null ? (
            <>
              A rematch costs <b>{formatCoins(buyIn, "up")} HC</b>: {formatCoins(stakeTotal)} + {formatCoins(fee, "up")}{" "}
              fee.
            </>
          ) : (
            <NoWrapText text={rematch.why} />
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
          resting={rematch.why !== null}
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
