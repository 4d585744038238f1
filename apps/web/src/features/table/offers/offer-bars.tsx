import { useEffect, useId, useRef } from "react";
import { GuardedButton } from "../../../ui/button/guarded-button.tsx";
import { Icon, type IconName } from "../../../ui/icon/icon.tsx";
import { NoHyphenBreakText } from "../../../ui/text/no-hyphen-break-text.tsx";
import type { TableAction } from "../actions/table-action.ts";
import { useTableAction } from "../actions/use-table-action.ts";
import { Countdown } from "../clock/ticking-text.tsx";
import type { TableViewModel } from "../view-model.ts";
import { type OfferKind, type ReceivedOffer, toOwnOffer, toReceived } from "./offers-view.ts";
import { useFunds } from "./rematch.tsx";
import { toOfferedTerms, toShortage } from "./rematch-view.ts";

const ICONS: Readonly<Record<OfferKind, IconName>> = { draw: "half", takeback: "undo", rematch: "restart" };

/**
 * The opponent's offers, and the player's own. They take no focus, so that a held piece is not
 * dropped. Each kind has a place of its own, so that none moves when another comes or goes.
 */
export function OfferBars({ viewModel }: { readonly viewModel: TableViewModel }) {
  const received = toReceived(viewModel);
  const own = toOwnOffer(viewModel);
  if (received.length === 0 && own === null) return null;
  return (
    <div className="offer-bars">
      {received.map((offer) => (
        <OfferBar key={`${offer.kind} ${offer.version}`} viewModel={viewModel} offer={offer} />
      ))}
      {received.length === 0 && own !== null && (
        <p className="own-offer" role="status">
          <b>{own.title}</b> {own.text}
        </p>
      )}
    </div>
  );
}

function OfferBar({ viewModel, offer }: { readonly viewModel: TableViewModel; readonly offer: ReceivedOffer }) {
  const { boardVersion } = viewModel.shown.table;
  const { running, run } = useTableAction();
  const blockedReason = useBlockedReason(viewModel, offer);
  const bar = useRef<HTMLElement>(null);
  const titleId = useId();
  const textId = useId();
  const { title, short, lines, until, kind } = offer;
  const send = (answer: "accept" | "decline" | "decline_all") => run(toAnswer(viewModel, offer, answer));
  // Not disabled: the opponent's next move would take the focus from the buttons.
  const answer = { size: "small", meaning: boardVersion, resting: running !== null } as const;
  const sent = running !== null && "answer" in running ? running.answer : null;

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
      <Icon name={ICONS[kind]} />
      <div className="words">
        <h2 id={titleId}>{title}</h2>{" "}
        {until !== null && (
          <span className="left">
            <Countdown until={until} unit="seconds" />
          </span>
        )}
        <p className="short" aria-hidden="true">
          {short}
        </p>
        <div id={textId} className="lines">
          {lines.map((line) => (
            <p key={line}>
              <NoHyphenBreakText text={line} />
            </p>
          ))}
          {blockedReason !== null && <p className="blocked-reason">{blockedReason}</p>}
        </div>
      </div>
      <div className="answers">
        {kind !== "rematch" && (
          <GuardedButton
            {...answer}
            className="no-more"
            aria-label="Don't ask again this game"
            title="Don't ask again this game"
            onClick={() => send("decline_all")}
          >
            <Icon name="bell-off" />
          </GuardedButton>
        )}
        <GuardedButton
          {...answer}
          className="answer"
          title="Decline"
          busy={sent !== null && sent !== "accept" && ""}
          onClick={() => send("decline")}
        >
          <Icon name="close" />
          <span className="word">Decline</span>
        </GuardedButton>
        <GuardedButton
          {...answer}
          className="answer"
          title="Accept"
          busy={sent === "accept" && ""}
          onClick={() => send("accept")}
        >
          <Icon name="check" />
          <span className="word">Accept</span>
        </GuardedButton>
      </div>
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
