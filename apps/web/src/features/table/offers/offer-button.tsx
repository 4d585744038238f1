import { ofSeat } from "@holo/rules/by-seat.ts";
import { toOpponent } from "@holo/table/state.ts";
import { useId } from "react";
import { Button } from "../../../ui/button/button.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { useTableAction } from "../actions/use-table-action.ts";
import type { TableViewModel } from "../view-model.ts";
import { type InGameOfferKind, LABELS, toOfferButton } from "./offers-view.ts";

const COMMANDS = { draw: "offer_draw", takeback: "request_takeback" } as const;
const ICONS = { draw: "half", takeback: "undo" } as const;

interface OfferButtonProps {
  readonly viewModel: TableViewModel;
  readonly kind: InGameOfferKind;
  readonly className?: string | undefined;
  readonly onSent?: () => void;
}

/** Reserves the place of a button that appears later in the game, so that the others stay. */
function OfferPlace({ viewModel, kind, className = "" }: Omit<OfferButtonProps, "onSent">) {
  if (viewModel.seat === null || viewModel.shown.table.status !== "active") return null;
  return (
    <span className={`button secondary small wide offer-place ${className}`} aria-hidden="true">
      <Icon name={ICONS[kind]} />
      {LABELS[kind].open}
    </span>
  );
}

/** A blocked button can still be pressed to see the reason. */
export function OfferButton({ viewModel, kind, className, onSent }: OfferButtonProps) {
  const { running, run } = useTableAction();
  const reasonId = useId();
  const button = toOfferButton(viewModel, kind);
  if (button === null) return <OfferPlace viewModel={viewModel} kind={kind} className={className} />;
  const { label, blockedReason } = button;
  const { seat } = viewModel;
  const { gameId, movesMade } = viewModel.shown.table;

  function press(): void {
    if (seat === null) return;
    if (blockedReason !== null) {
      notify({ kind: "notice", title: label, text: blockedReason });
      return;
    }
    run({ type: COMMANDS[kind], gameId, opponentMoves: ofSeat(movesMade, toOpponent(seat)) });
    onSent?.();
  }

  return (
    <>
      <Button
        size="small"
        wide
        {...(className === undefined ? {} : { className })}
        aria-disabled={blockedReason === null ? undefined : true}
        aria-describedby={blockedReason === null ? undefined : reasonId}
        title={blockedReason ?? undefined}
        busy={running !== null && "Asking..."}
        onClick={press}
      >
        <Icon name={ICONS[kind]} />
        {label}
      </Button>
      {blockedReason !== null && (
        <span id={reasonId} hidden>
          {blockedReason}
        </span>
      )}
    </>
  );
}
