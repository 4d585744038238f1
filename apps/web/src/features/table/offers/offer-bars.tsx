import { useEffect, useId, useRef } from "react";
import { Button } from "../../../ui/button/button.tsx";
import { Icon, type IconName } from "../../../ui/icon/icon.tsx";
import { NoWrapText } from "../../../ui/text/no-wrap-text.tsx";
import type { TableAction } from "../actions/table-action.ts";
import { useArmed } from "../actions/use-armed.ts";
import { useTableAction } from "../actions/use-table-action.ts";
import { Countdown } from "../clock/ticking-text.tsx";
import type { TableViewModel } from "../view-model.ts";
import { type OfferKind, type ReceivedOffer, toReceived } from "./offers-view.ts";
import { useFunds } from "./rematch.tsx";
import { toOfferedTerms, toShortage } from "./rematch-view.ts";

const ICONS: Readonly<Record<OfferKind, IconName>> = { draw: "half", takeback: "undo", rematch: "restart" };

/** The opponent's offers. They take no focus, so that a held piece stays held. */
export function OfferBars({ viewModel }: { readonly viewModel: TableViewModel }) {
  const received = toReceived(viewModel);
  if (received.length === 0) return null;
  return (
    <div className="offer-bars">
      {received.map((offer) => (
        <OfferBar key={`${offer.kind} ${offer.version}`} viewModel={viewModel} offer={offer} />
      ))}
    </div>
  );
}

function OfferBar({ viewModel, offer }: { readonly viewModel: TableViewModel; readonly offer: ReceivedOffer }) {
  const { boardVersion } = viewModel.shown.table;
  const { running, run } = useTableAction();
  const isArmed = useArmed(boardVersion);
  const blockedReason = useBlockedReason(viewModel, offer);
  const bar = useRef<HTMLElement>(null);
  const titleId = useId();
  const textId = useId();
  const { title, lines, until, kind } = offer;
  const send = (answer: "accept" | "decline" | "decline_all") => run(toAnswer(viewModel, offer, answer));
  // Not disabled: the opponent's next move would take the focus from the buttons.
  const isDisabled = !isArmed || running !== null;
  const isAccepted = running !== null && "answer" in running && running.answer === "accept";

  // After the game no piece is held, so the page may scroll to the offer.
  useEffect(() => {
    if (kind === "rematch") bar.current?.scrollIntoView({ block: "nearest" });
  }, [kind]);

  return (
    <section
      ref={bar}
      className={`offer-bar ${kind}`}
      role="dialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
    >
      <h2>
        <Icon name={ICONS[kind]} />
        <span id={titleId}>{title}</span>
        {until !== null && (
          <span className="left">
            <Countdown until={until} unit="seconds" />
          </span>
        )}
      </h2>
      <div id={textId}>
        {lines.map((line) => (
          <p key={line}>
            <NoWrapText text={line} />
          </p>
        ))}
        {blockedReason !== null && <p className="blocked-reason">{blockedReason}</p>}
      </div>
      <div className="answers">
        <Button size="small" resting={isDisabled} onClick={() => send("decline")}>
          Decline
        </Button>
        <Button
          size="small"
          kind={kind === "takeback" ? "secondary" : "primary"}
          resting={isDisabled}
          busy={isAccepted && "Accepting..."}
          onClick={() => send("accept")}
        >
          Accept
        </Button>
      </div>
      {kind !== "rematch" && (
        <button
          type="button"
          className="no-more"
          aria-disabled={isDisabled || undefined}
          onClick={() => !isDisabled && send("decline_all")}
          title="Declines this and all further offers in this game"
        >
          Don't ask again this game
        </button>
      )}
    </section>
  );
}

/** Why the player cannot accept a rematch; null if they can. */
function useBlockedReason(viewModel: TableViewModel, { kind }: ReceivedOffer): string | null {
  const funds = useFunds(viewModel);
  if (kind !== "rematch") return null;
  const terms = toOfferedTerms(viewModel);
  return terms === null ? null : toShortage(terms, funds);
}

function toAnswer(
  viewModel: TableViewModel,
  { kind, version }: ReceivedOffer,
  answer: "accept" | "decline" | "decline_all",
): TableAction {
  const { gameId, boardVersion } = viewModel.shown.table;
  switch (kind) {
    case "draw":
      return { type: "answer_draw", gameId, offer: version, answer, atVersion: boardVersion };
    case "takeback":
      return { type: "answer_takeback", gameId, offer: version, answer, atVersion: boardVersion };
    case "rematch":
      return { type: "answer_rematch", gameId, offer: version, answer: answer === "accept" ? "accept" : "decline" };
  }
}
