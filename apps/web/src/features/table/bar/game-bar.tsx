import type { GameId } from "@holo/kernel/ids.ts";
import type { OpenGameView } from "@holo/protocol/game/games.ts";
import { isOpen } from "@holo/table/state.ts";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { useSession } from "../../../lib/session/session.ts";
import { useConnection } from "../../../lib/socket/socket.ts";
import { cancelMatch } from "../../../shared/match/match-commands.ts";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { classes } from "../../../ui/text/classes.ts";
import { toElapsedTick } from "../clock/ticking.ts";
import { TickingText } from "../clock/ticking-text.tsx";
import { useOwnClock } from "../clock/use-own-clock.ts";
import { useTableEvents } from "../events/use-table-events.ts";
import { useOfferNotifications } from "../offers/use-offer-notifications.ts";
import { toResultText } from "../result/result-text.ts";
import type { ShownTable } from "../store/table-view.ts";
import { useTableStore } from "../store/use-table-store.ts";
import { type TableViewModel, toTableViewModel } from "../view-model.ts";
import { formatSum, type GameBarText, toGameBarText } from "./game-bar-text.ts";
import { useBlinkingTitle } from "./use-blinking-title.ts";

/** The player's open game on every page but a table: its turn, its clock, the way back. */
export function GameBar() {
  const { player, openGame } = useSession();
  const [location] = useLocation();
  const [shown, setShown] = useState<OpenGameView | null>(null);
  // The push that a game is over may come before its last record.
  if (openGame !== null && openGame !== shown) setShown(openGame);
  const drop = useCallback(() => setShown(null), []);

  if (player === null || shown === null || location === `/game/${shown.gameId}`) return null;
  const { gameId, status } = shown;
  // A table needs the height. Its own turn is still heard there, and seen in the title.
  const isHidden = location.startsWith("/game/");
  return <WatchedBar key={gameId} gameId={gameId} status={status} isHidden={isHidden} onOver={drop} />;
}

interface WatchedBarProps extends OpenGameView {
  readonly isHidden: boolean;
  readonly onOver: () => void;
}

function WatchedBar({ gameId, status, isHidden, onOver }: WatchedBarProps) {
  const { view } = useTableStore(gameId);
  const isOver = view.type === "missing" || (view.type === "ready" && !isOpen(view.table.status));
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);

  if (view.type === "ready" && view.table.status !== "waiting") return <Playing shown={view} isHidden={isHidden} />;
  if (isHidden || isOver) return null;
  if (status === "waiting") return <Waiting gameId={gameId} shown={view.type === "ready" ? view : null} />;
  return <Bar title="Your game" action={<Rejoin gameId={gameId} />} />;
}

function Rejoin({ gameId }: { readonly gameId: GameId }) {
  return (
    <ButtonLink href={`/game/${gameId}`} size="small">
      Rejoin
    </ButtonLink>
  );
}

function Waiting({ gameId, shown }: { readonly gameId: GameId; readonly shown: ShownTable | null }) {
  const { player } = useSession();
  const [busy, setBusy] = useState(false);
  const since = shown?.records[0]?.at ?? null;
  const tick = useCallback((now: number) => toElapsedTick(since ?? now, now), [since]);

  async function cancel() {
    setBusy(true);
    await cancelMatch({ id: gameId, stake: shown?.table.stake ?? 0 });
    setBusy(false);
  }

  return (
    <Bar
      title="Waiting"
      clock={since !== null && <TickingText tick={tick} className="time" />}
      sum={shown === null ? undefined : formatSum(toTableViewModel(shown, player?.id).terms.buyIn)}
      action={
        <>
          {!busy && (
            <ButtonLink href={`/game/${gameId}`} size="small">
              Open
            </ButtonLink>
          )}
          <Button size="small" kind="quiet" busy={busy && "Cancelling..."} onClick={() => void cancel()}>
            Cancel
          </Button>
        </>
      }
    />
  );
}

function Playing({ shown, isHidden }: { readonly shown: ShownTable; readonly isHidden: boolean }) {
  const { player } = useSession();
  const connection = useConnection();
  const [viewModel, setViewModel] = useState(() => toTableViewModel(shown, player?.id));
  if (viewModel.shown !== shown) setViewModel(toTableViewModel(shown, player?.id));
  const text = useMemo(() => toGameBarText(viewModel, connection), [viewModel, connection]);
  const announcements = [useTableEvents(viewModel, false), useOwnClock(viewModel), useOfferNotifications(viewModel)];
  useBlinkingTitle(text.isOwn ? "Your turn" : null);
  useResultNotice(viewModel);

  return (
    <>
      <p className="visually-hidden" role="status">
        {announcements.join(" ").trim()}
      </p>
      {!isHidden && isOpen(shown.table.status) && (
        <Bar
          title={text.title}
          detail={text.detail}
          isOwn={text.isOwn}
          clock={<BarClock text={text} />}
          sum={text.sum}
          action={<Rejoin gameId={shown.table.gameId} />}
        />
      )}
    </>
  );
}

function useResultNotice(viewModel: TableViewModel): void {
  useEffect(() => {
    const result = toResultText(viewModel);
    // A cancelled game has a notice of its own.
    if (result === null || viewModel.shown.cancelled !== null) return;
    notify({ kind: "notice", title: result.title, text: result.reason });
  }, [viewModel]);
}

function BarClock({ text }: { readonly text: GameBarText }) {
  const { isLow, tick, isOwn } = text;
  const markLow = useCallback(
    (element: HTMLElement, now: number) => void element.toggleAttribute("data-low", isLow(now)),
    [isLow],
  );
  return <TickingText tick={tick} className={classes("time", isOwn && "lit")} onWritten={markLow} />;
}

interface BarProps {
  readonly title: string;
  readonly detail?: string | undefined;
  readonly isOwn?: boolean;
  readonly clock?: ReactNode;
  readonly sum?: string | undefined;
  readonly action: ReactNode;
}

function Bar({ title, detail, isOwn = false, clock, sum, action }: BarProps) {
  return (
    <section className={classes("game-bar", isOwn && "own")} aria-label="Your game">
      <div className="wrap">
        <p>
          <b>{title}</b> {clock}
          {detail !== undefined && <span className="detail"> {detail}</span>}
          {sum !== undefined && <span className="sum"> {sum}</span>}
        </p>
        <div className="actions">{action}</div>
      </div>
    </section>
  );
}
