import { useEffect, useId, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Unbroken } from "../../ui/unbroken.tsx";
import type { Act } from "./acts.ts";
import { Countdown } from "./countdown.tsx";
import { type OfferKind, type ReceivedOffer, toReceived } from "./offers-view.ts";
import { toOfferedTerms, toShortage } from "./rematch-view.ts";
import type { Scene } from "./scene.ts";
import { useAct } from "./use-act.ts";
import { useArmed } from "./use-armed.ts";
import { useMeans } from "./use-means.ts";
import "./offer-bars.css";

const ICONS: Readonly<Record<OfferKind, IconName>> = { draw: "half", takeback: "undo", rematch: "restart" };

/** What the opponent asks, over the banner: they take no focus, so that a piece in hand stays in hand. */
export function OfferBars({ scene }: { readonly scene: Scene }) {
  const received = toReceived(scene);
  if (received.length === 0) return null;
  return (
    <div className="offer-bars">
      {received.map((offer) => (
        <OfferBar key={`${offer.kind} ${offer.version}`} scene={scene} offer={offer} />
      ))}
    </div>
  );
}

function OfferBar({ scene, offer }: { readonly scene: Scene; readonly offer: ReceivedOffer }) {
  const { boardVersion } = scene.shown.table;
  const { underWay, carryOut } = useAct();
  const isArmed = useArmed(boardVersion);
  const hindrance = useHindrance(scene, offer);
  const bar = useRef<HTMLElement>(null);
  const titleId = useId();
  const textId = useId();
  const { title, lines, until, kind } = offer;
  const answer = (said: "accept" | "decline" | "decline_all") => carryOut(toAnswer(scene, offer, said));
  // not disabled: a move that the opponent makes meanwhile would take the focus from the answers
  const isResting = !isArmed || underWay !== null;
  const isAccepted = underWay !== null && "answer" in underWay && underWay.answer === "accept";

  // with the game over no piece is in hand, and the page may move so that the answers are in sight
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
            <Unbroken text={line} />
          </p>
        ))}
        {hindrance !== null && <p className="hindrance">{hindrance}</p>}
      </div>
      <div className="answers">
        <Button size="small" resting={isResting} onClick={() => answer("decline")}>
          Decline
        </Button>
        <Button
          size="small"
          kind={kind === "takeback" ? "secondary" : "primary"}
          resting={isResting}
          busy={isAccepted && "Accepting..."}
          onClick={() => answer("accept")}
        >
          Accept
        </Button>
      </div>
      {kind !== "rematch" && (
        <button
          type="button"
          className="no-more"
          aria-disabled={isResting || undefined}
          onClick={() => !isResting && answer("decline_all")}
          title="Declines this one and every further one of this game"
        >
          No more in this game
        </button>
      )}
    </section>
  );
}

/** Why an acceptance would come to nothing, which then tells both; null where it would not. */
function useHindrance(scene: Scene, { kind }: ReceivedOffer): string | null {
  const means = useMeans(scene);
  if (kind !== "rematch") return null;
  const terms = toOfferedTerms(scene);
  return terms === null ? null : toShortage(terms, means);
}

function toAnswer(scene: Scene, { kind, version }: ReceivedOffer, answer: "accept" | "decline" | "decline_all"): Act {
  const { gameId, boardVersion } = scene.shown.table;
  switch (kind) {
    case "draw":
      return { type: "answer_draw", gameId, offer: version, answer, atVersion: boardVersion };
    case "takeback":
      return { type: "answer_takeback", gameId, offer: version, answer, atVersion: boardVersion };
    case "rematch":
      return { type: "answer_rematch", gameId, offer: version, answer: answer === "accept" ? "accept" : "decline" };
  }
}
