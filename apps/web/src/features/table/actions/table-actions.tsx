import type { GameId } from "@holo/kernel/ids.ts";
import { isOpen, type Status } from "@holo/table/state.ts";
import { type ReactNode, useState } from "react";
import { idlePrefetchedChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { Opening } from "../../../ui/overlay/opening.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { OfferButton } from "../offers/offer-button.tsx";
import { RematchButton } from "../offers/rematch.tsx";
import { mayCancel, mayResign, type TableViewModel } from "../view-model.ts";
import { CancelDialog, ResignDialog } from "./stop-dialogs.tsx";
import type { TableAction } from "./table-action.ts";
import { useTableAction } from "./use-table-action.ts";

const OptionsDialog = idlePrefetchedChunk(() => import("./options-dialog.tsx"));
const ShareDialog = idlePrefetchedChunk(() => import("../result/share-dialog.tsx"));

interface OptionsButtonProps {
  readonly viewModel: TableViewModel;
  readonly className?: string;
  readonly isOver: boolean;
  readonly onSettings: () => void;
}

function OptionsButton({ viewModel, className = "", isOver, onSettings }: OptionsButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {/* A new element after the game, because it moves to another place: see the turn's text. */}
      <Button
        key={String(isOver)}
        size="small"
        className={`icon-action ${className}`}
        aria-haspopup="dialog"
        aria-label="Options"
        title="Options"
        onClick={() => setOpen(true)}
      >
        <Icon name="more" />
        <span>Options</span>
      </Button>
      {isOpen && (
        <Opening onDropped={() => setOpen(false)}>
          <OptionsDialog viewModel={viewModel} onSettings={onSettings} onClose={() => setOpen(false)} />
        </Opening>
      )}
    </>
  );
}

interface TableActionsProps {
  readonly viewModel: TableViewModel;
  readonly onSettings: () => void;
  readonly children?: ReactNode;
}

export function TableActions({ viewModel, onSettings, children }: TableActionsProps) {
  const { gameId, status, result, moves } = viewModel.shown.table;
  const isWaiting = status === "waiting";
  const isOver = !isOpen(status);
  if (isWaiting && viewModel.seat === null) return null;
  return (
    <div className={classes("table-actions", isWaiting && "alone", isOver && "over")}>
      <OfferButton viewModel={viewModel} kind="draw" className="table-action" />
      <StopButton viewModel={viewModel} />
      <OfferButton viewModel={viewModel} kind="takeback" className="table-action takeback" />
      {isOver && <RematchButton viewModel={viewModel} className="rematch-button" />}
      {viewModel.seat !== null && result !== null && moves.length > 0 && (
        <ButtonLink href={`/game/${gameId}/review`} size="small" className="table-action">
          <Icon name="search" />
          Review
        </ButtonLink>
      )}
      {isOver && (
        <ButtonLink href="/matches" size="small" className="table-action to-matches">
          <Icon name="matches" />
          Matches
        </ButtonLink>
      )}
      {result !== null && <ShareGame viewModel={viewModel} />}
      {children}
      {!isWaiting && (
        <OptionsButton viewModel={viewModel} className="table-action" isOver={isOver} onSettings={onSettings} />
      )}
    </div>
  );
}

function ShareGame({ viewModel }: { readonly viewModel: TableViewModel }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" className="table-action icon-action" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="send" />
        <span>Share</span>
      </Button>
      {isOpen && (
        <Opening onDropped={() => setOpen(false)}>
          <ShareDialog viewModel={viewModel} onClose={() => setOpen(false)} />
        </Opening>
      )}
    </>
  );
}

function toStop(type: "cancel" | "resign", gameId: GameId, status: Status): TableAction {
  return type === "cancel" ? { type, gameId, whileWaiting: status === "waiting" } : { type, gameId };
}

/** Cancel, or Resign after both players made two moves (ruling 17). */
function StopButton({ viewModel }: { readonly viewModel: TableViewModel }) {
  const [asked, setAsked] = useState<{ readonly action: "cancel" | "resign"; readonly status: Status } | null>(null);
  const { running, run } = useTableAction();
  const { gameId, status } = viewModel.shown.table;
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
        onClick={() => setAsked({ action, status })}
      >
        {status === "active" && <Icon name={action === "resign" ? "flag" : "close"} />}
        {action === "resign" ? "Resign" : "Cancel"}
      </Button>
      {/* A question about a waiting game must not apply to the game that has begun. */}
      {asked?.action === action && asked.status === status && (
        <Question
          viewModel={viewModel}
          onStay={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null);
            run(toStop(action, gameId, status));
          }}
        />
      )}
    </>
  );
}
