import { gameOf } from "@holo/rules/registry.ts";
import type { Move } from "@holo/rules/rules.ts";
import { isOpen, isUnlisted } from "@holo/table/state.ts";
import { memo, type ReactNode, Suspense, useCallback, useDeferredValue, useMemo, useState } from "react";
import { idlePrefetchedChunk, lazyChunk } from "../../lib/chunks/lazy-chunk.ts";
import { useBoardSettings } from "../../shared/board/settings/board-settings.ts";
import { Button, IconButton } from "../../ui/button/button.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import { Opening } from "../../ui/overlay/opening.tsx";
import { classes } from "../../ui/text/classes.ts";
import { TableActions } from "./actions/table-actions.tsx";
import { type OwnMoveControls, useOwnMove } from "./board/own-move.ts";
import { PlayedBoard } from "./board/played-board.tsx";
import { Chat } from "./chat/chat.tsx";
import type { ChatStore } from "./chat/chat-store.ts";
import { useOwnClock } from "./clock/use-own-clock.ts";
import { useTableEvents } from "./events/use-table-events.ts";
import { formatPly, type GameHistory, rewind, toTimesLeft, useGameHistory } from "./history/history.ts";
import { HistorySteps } from "./history/history-steps.tsx";
import { MoveList } from "./history/move-list.tsx";
import { OfferBars } from "./offers/offer-bars.tsx";
import { useOfferNotifications } from "./offers/use-offer-notifications.ts";
import { JoinSeat, JoinTerms, LoginToJoin } from "./players/join-seat.tsx";
import { PlayerCard } from "./players/player-card.tsx";
import { CapturedCard, FreePanel, PaidPanel, StakePanel } from "./players/table-facts.tsx";
import { ResultPanel } from "./result/result-panel.tsx";
import { toResultText } from "./result/result-text.ts";
import { useResultSheet } from "./result/use-result-sheet.ts";
import { PastBar } from "./status/past-bar.tsx";
import { StateBar } from "./status/state-bar.tsx";
import { toPageTitle } from "./status/turn-text.ts";
import type { TableStore } from "./store/table-store.ts";
import { flipBoard, mayMove, type TableViewModel, toOpponent } from "./view-model.ts";
import { useZen, ZenEnd } from "./zen/zen.tsx";

/** What surrounds the board renders in a later task, so that a press is drawn sooner. */
const Card = memo(PlayerCard);
const Offers = memo(OfferBars);
const Actions = memo(TableActions);
const Stake = memo(StakePanel);
const Captured = memo(CapturedCard);
const Moves = memo(MoveList);
const Steps = memo(HistorySteps);

const SettingsSheet = lazyChunk(() => import("../../shared/board/settings/settings-sheet.tsx"));
const MoveField = lazyChunk(() => import("./board/typed/move-field.tsx"));
const InvitePanel = idlePrefetchedChunk(() => import("./players/invite-panel.tsx"));
const NextGames = lazyChunk(() => import("./watching/next-games.tsx"));
const GameDetails = idlePrefetchedChunk(() => import("./result/game-details.tsx"));

interface GameTableProps {
  readonly viewModel: TableViewModel;
  readonly isSignedIn: boolean;
  readonly store: TableStore | null;
  readonly chat: ChatStore | null;
}

export function GameTable({ viewModel: given, isSignedIn, store, chat }: GameTableProps) {
  const [isFlipped, setFlipped] = useState(false);
  const viewModel = useMemo(() => (isFlipped ? flipBoard(given) : given), [given, isFlipped]);
  const [livePlace, setLivePlace] = useState<Element | null>(null);
  const flip = useCallback(() => setFlipped((was) => !was), []);
  const { bottom } = viewModel;
  const cancelPremove = useCallback(() => store?.premove(null), [store]);
  const deferred = useDeferredValue(viewModel);
  // Deferred together with the turn and the actions that it replaces.
  const result = toResultText(deferred);
  const isOver = result !== null;
  // Closed by the game's end, since it may cover the result.
  const [settingUp, setSettingUp] = useState<"play" | "over" | null>(null);
  const phase = isOver ? "over" : "play";
  const openSettings = useCallback(() => setSettingUp(phase), [phase]);
  const settings = useMemo(
    () => <IconButton icon="settings" label="Board settings" aria-haspopup="dialog" onClick={openSettings} />,
    [openSettings],
  );
  const zen = useZen(isOver);
  const history = useGameHistory(viewModel.shown.table.moves.length);
  const sheet = useResultSheet(viewModel, history);
  const ownMove = useOwnMove(viewModel, store);
  usePageTitle(toPageTitle(viewModel, result));
  const announcement = useAnnouncement(viewModel, history, ownMove, zen.isOn);
  // After the end the clocks show the earlier position too. During a game they never do.
  const replay = isOver && history.isPast ? rewind(viewModel, history.ply) : deferred;

  return (
    <>
      <div
        className={classes("game-page", isOver && "over", isOver && sheet.isOpen && "with-sheet", zen.isOn && "zen")}
      >
        <Card viewModel={replay} seat={toOpponent(bottom)} place="above" />
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the key for it is Escape */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
        <div className="board-place" onClick={isOver && sheet.isOpen ? sheet.close : undefined}>
          <PlayedBoard
            viewModel={viewModel}
            history={history}
            ownMove={ownMove}
            announcement={announcement}
            isOver={isOver}
            onPremoveCancel={cancelPremove}
          />
        </div>
        <Card viewModel={replay} seat={bottom} place="below" />
        <div className="state-place">
          {result === null && <Offers viewModel={deferred} />}
          <StateBar viewModel={deferred} history={history} ownMove={ownMove} onPremoveCancel={cancelPremove} />
          {result !== null && <ResultPanel viewModel={deferred} text={result} sheet={sheet} />}
          {result !== null && <Offers viewModel={deferred} />}
          <TypedMoves viewModel={viewModel} history={history} ownMove={ownMove} />
          <ActionsWithChat
            viewModel={deferred}
            chat={chat}
            livePlace={livePlace}
            onFlip={flip}
            onSettings={openSettings}
          />
          {isOpenSeat(viewModel) && (isSignedIn ? <JoinSeat viewModel={viewModel} /> : <LoginToJoin />)}
        </div>
        <Facts viewModel={viewModel} deferred={deferred} replay={replay} history={history} settings={settings} />
        {zen.isOn && <ZenEnd onEnd={() => zen.set(false)} />}
        {settingUp === phase && (
          <Opening onDropped={() => setSettingUp(null)}>
            <SettingsSheet
              game={viewModel.shown.table.game}
              zen={isOver ? null : zen}
              onClose={() => setSettingUp(null)}
            />
          </Opening>
        )}
      </div>
      {isOver && viewModel.seat === null && <div ref={setLivePlace} />}
      {isOver && (
        <Suspense>
          <GameDetails viewModel={viewModel} />
        </Suspense>
      )}
    </>
  );
}

function isOpenSeat({ shown, seat }: TableViewModel): boolean {
  return shown.table.status === "waiting" && seat === null;
}

interface TypedMovesProps {
  readonly viewModel: TableViewModel;
  readonly history: GameHistory;
  readonly ownMove: OwnMoveControls;
}

function TypedMoves({ viewModel, history, ownMove }: TypedMovesProps) {
  const { moveField } = useBoardSettings();
  if (!moveField || viewModel.seat === null || viewModel.shown.table.status !== "active") return null;

  function play({ path, promotion }: Move): void {
    history.returnToCurrent();
    ownMove.choose([], path, promotion);
  }

  return (
    <Suspense fallback={<div className="move-field" />}>
      <MoveField viewModel={viewModel} isTurn={mayMove(viewModel)} onMove={play} />
    </Suspense>
  );
}

interface ActionsWithChatProps {
  readonly viewModel: TableViewModel;
  readonly chat: ChatStore | null;
  readonly onFlip: () => void;
  readonly onSettings: () => void;
  /** Of the games that a watcher may go on to. */
  readonly livePlace: Element | null;
}

/** A watcher has a button that turns the board; players see it from their own side. */
function ActionsWithChat({ viewModel, chat, onFlip, onSettings, livePlace }: ActionsWithChatProps) {
  const { seat, shown } = viewModel;
  const hasChat = seat !== null && shown.players[1] !== null;
  const chatButton = useMemo(
    () => chat !== null && hasChat && <Chat viewModel={viewModel} store={chat} />,
    [viewModel, chat, hasChat],
  );
  const { gameId } = shown.table;
  const forWatcher = useMemo(
    () =>
      seat === null && (
        <>
          {livePlace !== null && (
            <Suspense>
              <NextGames gameId={gameId} place={livePlace} />
            </Suspense>
          )}
          <FlipButton onTurn={onFlip} />
        </>
      ),
    [seat, gameId, livePlace, onFlip],
  );
  return (
    <Actions viewModel={viewModel} onSettings={onSettings}>
      {forWatcher || chatButton}
    </Actions>
  );
}

function FlipButton({ onTurn }: { readonly onTurn: () => void }) {
  return (
    <Button size="small" className="table-action flip-button" onClick={onTurn}>
      <Icon name="flip" />
      Flip board
    </Button>
  );
}

interface FactsProps {
  readonly viewModel: TableViewModel;
  readonly deferred: TableViewModel;
  readonly replay: TableViewModel;
  readonly history: GameHistory;
  readonly settings: ReactNode;
}

function Facts({ viewModel, deferred, replay, history, settings }: FactsProps) {
  const { table } = viewModel.shown;
  const deferredTable = deferred.shown.table;
  const deferredHistory = useDeferredValue(history);
  const timesLeft = useMemo(() => toTimesLeft(deferredTable), [deferredTable]);
  const isOver = !isOpen(deferredTable.status);
  if (table.status === "waiting") {
    return (
      <div className="facts-place">
        <Stake viewModel={deferred} />
        {viewModel.seat !== null && isUnlisted(table) && (
          <Suspense>
            <InvitePanel gameId={table.gameId} />
          </Suspense>
        )}
        {viewModel.isFree ? (
          <FreePanel />
        ) : viewModel.seat === null ? (
          <JoinTerms viewModel={viewModel} />
        ) : (
          <PaidPanel viewModel={viewModel} />
        )}
      </div>
    );
  }
  return (
    <div className="facts-place">
      <Stake viewModel={deferred} />
      {gameOf(table.game).look === "discs" && <Captured viewModel={replay} />}
      {/* New elements after the game, because they may be in another place then. */}
      <Moves
        key={`moves ${isOver}`}
        texts={deferred.shown.moveTexts}
        history={deferredHistory}
        timesLeft={timesLeft}
        actions={settings}
      />
      {isOver && history.isPast && <PastBar history={history} turnTitle={null} />}
      <Steps key={`steps ${isOver}`} history={history} texts={deferred.shown.moveTexts} />
    </div>
  );
}

function useAnnouncement(
  viewModel: TableViewModel,
  history: GameHistory,
  ownMove: OwnMoveControls,
  isZen: boolean,
): string {
  return useNewest([
    useTableEvents(viewModel),
    useOwnClock(viewModel),
    useOfferNotifications(viewModel),
    formatHistory(history),
    formatOwnMove(ownMove),
    isZen ? "Board and clocks alone. Z or Escape brings back the rest." : "",
  ]);
}

function formatHistory({ isPast, ply, count }: GameHistory): string {
  return isPast ? `Earlier position. ${formatPly(ply, count)}.` : "";
}

function formatOwnMove({ move }: OwnMoveControls): string {
  return move.type === "tentative" ? `${move.text}, not played yet. Enter confirms, Escape undoes.` : "";
}

/** The text that changed last, so that the others are not announced again. */
function useNewest(texts: readonly string[]): string {
  const [seen, setSeen] = useState({ texts, newest: "" });
  if (texts.some((text, index) => text !== seen.texts[index])) {
    const newest = texts.findLast((text, index) => text !== "" && text !== seen.texts[index]) ?? seen.newest;
    setSeen({ texts, newest });
  }
  return seen.newest;
}
