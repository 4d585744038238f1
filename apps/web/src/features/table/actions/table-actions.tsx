import { isOpen } from "@holo/table/state.ts";
import { type ReactNode, Suspense, useState } from "react";
import { prefetchedChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { OfferButton } from "../offers/offer-button.tsx";
import { RematchButton } from "../offers/rematch.tsx";
import { mayCancel, mayResign, type TableViewModel } from "../view-model.ts";
import { CancelDialog, ResignDialog } from "./stop-dialogs.tsx";
import { useTableAction } from "./use-table-action.ts";

const OptionsDialog = prefetchedChunk(() => import("./options-dialog.tsx"));

interface OptionsButtonProps {
  readonly viewModel: TableViewModel;
  readonly className?: string;
}

/** Opens what is rarely needed or has no room on a phone. */
function OptionsButton({ viewModel, className = "" }: OptionsButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="small"
        className={`options-button ${className}`}
        aria-haspopup="dialog"
        aria-label="Options"
        title="Options"
        onClick={() => setOpen(true)}
      >
        <Icon name="more" />
        <span>Options</span>
      </Button>
      {isOpen && (
        <Suspense>
          <OptionsDialog viewModel={viewModel} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

interface TableActionsProps {
  readonly viewModel: TableViewModel;
  /** More buttons in the row. */
  readonly children?: ReactNode;
}

/** The player's commands other than moves. */
export function TableActions({ viewModel, children }: TableActionsProps) {
  const { status } = viewModel.shown.table;
  const isWaiting = status === "waiting";
  const isOver = !isOpen(status);
  if (isWaiting && viewModel.seat === null) return null;
  return (
    <div className={classes("table-actions", isWaiting && "alone", isOver && "over")}>
      <OfferButton viewModel={viewModel} kind="draw" className="table-action" />
      <StopButton viewModel={viewModel} />
      <OfferButton viewModel={viewModel} kind="takeback" className="table-action takeback" />
      {isOver && <RematchButton viewModel={viewModel} className="rematch-button" />}
      {isOver && (
        <ButtonLink href="/matches" size="small" className="table-action">
          <Icon name="matches" />
          Matches
        </ButtonLink>
      )}
      {children}
      {!isWaiting && <OptionsButton viewModel={viewModel} className="table-action" />}
    </div>
  );
}

/** Cancel, or Resign after both players made two moves (ruling 17). */
function StopButton({ viewModel }: { readonly viewModel: TableViewModel }) {
  const [asked, setAsked] = useState<"cancel" | "resign" | null>(null);
  const { running, run } = useTableAction();
  const { gameId } = viewModel.shown.table;
  const action = mayCancel(viewModel) ? "cancel" : mayResign(viewModel) ? "resign" : null;
  if (action === null) return null;
  const Question = action === "cancel" ? CancelDialog : ResignDialog;
  return (
    <>
      <Button
        size="small"
        wide
        className="table-action"
        busy={running !== null && (action === "cancel" ? "Cancelling..." : "Resigning...")}
        onClick={() => setAsked(action)}
      >
        {viewModel.shown.table.status === "active" && <Icon name={action === "resign" ? "flag" : "close"} />}
        {action === "resign" ? "Resign" : "Cancel"}
      </Button>
      {asked === action && (
        <Question
          viewModel={viewModel}
          onStay={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null);
            run({ type: action, gameId });
          }}
        />
      )}
    </>
  );
}
