import { isOpen } from "@holo/table/state.ts";
import { lazy, Suspense, useMemo, useState } from "react";
import { useBoardSettings } from "../../lib/board-settings.ts";
import type { ChatStore } from "../../lib/chat-store.ts";
import { loadPart } from "../../lib/part.ts";
import type { TableStore } from "../../lib/table-store.ts";
import { Board } from "../../ui/board/board.tsx";
import { toBoardView } from "../../ui/board/board-view.ts";
import { PromotionChooser } from "../../ui/board/promotion-chooser.tsx";
import { classes } from "../../ui/classes.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { usePageTitle } from "../../ui/page-title.ts";
import { BoardSettingsButton } from "./board-settings.tsx";
import { Chat } from "./chat.tsx";
import { ConfirmBar } from "./confirm-bar.tsx";
import { JoinSeat } from "./join-seat.tsx";
import { JoinTerms } from "./join-terms.tsx";
import { MoveField } from "./move-field.tsx";
import { MoveList } from "./move-list.tsx";
import { OfferBars } from "./offer-bars.tsx";
import { PastBar } from "./past-bar.tsx";
import { PlayerCard } from "./player-card.tsx";
import { formatPly, rewind, toTimesLeft } from "./record.ts";
import { ResultPanel } from "./result-panel.tsx";
import { type ResultText, toResultText } from "./result-text.ts";
import { mayMove, mayPremove, type Scene, toName, toOpponent } from "./scene.ts";
import { TableActions } from "./table-actions.tsx";
import { CapturedCard, PaidPanel, StakePanel } from "./table-facts.tsx";
import { TurnBanner } from "./turn-banner.tsx";
import { useOfferNews } from "./use-offer-news.ts";
import { useOwnClock } from "./use-own-clock.ts";
import { type OwnMoveActs, useOwnMove } from "./use-own-move.ts";
import { usePremoveText } from "./use-premove-text.ts";
import { type TableRecord, useRecord } from "./use-record.ts";
import { useTableEvents } from "./use-table-events.ts";

const TablePapers = lazy(() => loadPart(() => import("./table-papers.tsx")));

interface GameTableProps {
  readonly scene: Scene;
  readonly isSignedIn: boolean;
  readonly store: TableStore | null;
  readonly chat: ChatStore | null;
}

export function GameTable({ scene, isSignedIn, store, chat }: GameTableProps) {
  const { shown, bottom, seat } = scene;
  const { table, moveTexts } = shown;
  const result = toResultText(scene);
  const isWaiting = table.status === "waiting";
  const { moveField } = useBoardSettings();
  const record = useRecord(table.moves.length);
  const ownMove = useOwnMove(scene, store);
  usePageTitle(toPageTitle(scene, result));
  const announcement = useNewest([
    useTableEvents(scene),
    useOwnClock(scene),
    usePremoveText(shown),
    useOfferNews(scene),
    formatRecord(record),
    formatOwnMove(ownMove),
  ]);
  const timesLeft = useMemo(() => toTimesLeft(table), [table]);

  // a game that is over is looked at as it was then, its clocks included; in one that goes on the clocks never leave the present
  const replay = result !== null && record.isPast ? rewind(scene, record.ply) : scene;

  return (
    <>
      <div className={classes("game-page", result !== null && "over")}>
        <PlayerCard scene={replay} seat={toOpponent(bottom)} place="above" />
        <div className="board-place">
          <PlayedBoard
            scene={scene}
            record={record}
            ownMove={ownMove}
            announcement={announcement}
            isOver={result !== null}
            onPremoveCancel={() => store?.premove(null)}
          />
        </div>
        <PlayerCard scene={replay} seat={bottom} place="below" />
        <div className="state-place">
          <OfferBars scene={scene} />
          <StateBar scene={scene} record={record} ownMove={ownMove} />
          {result !== null && <ResultPanel scene={scene} text={result} />}
          {moveField && seat !== null && result === null && !isWaiting && (
            <MoveField scene={scene} onMove={(move) => ownMove.choose([], move.path, move.promotion)} />
          )}
          <TableActions scene={scene}>
            {chat !== null && seat !== null && shown.players[1] !== null && <Chat scene={scene} store={chat} />}
          </TableActions>
          {isWaiting && seat === null && isSignedIn && <JoinSeat scene={scene} />}
        </div>
        <div className="facts-place">
          <StakePanel scene={scene} />
          {isWaiting && (seat === null ? <JoinTerms scene={scene} /> : <PaidPanel scene={scene} />)}
          {!isWaiting && table.game === "checkers" && <CapturedCard scene={replay} />}
          {!isWaiting && (
            <MoveList texts={moveTexts} record={record} timesLeft={timesLeft} acts={<BoardSettingsButton />} />
          )}
        </div>
      </div>
      {result !== null && (
        <Suspense>
          <TablePapers scene={scene} />
        </Suspense>
      )}
    </>
  );
}

interface PlayedBoardProps {
  readonly scene: Scene;
  readonly record: TableRecord;
  readonly ownMove: OwnMoveActs;
  readonly announcement: string;
  readonly isOver: boolean;
  readonly onPremoveCancel: () => void;
}

/** The board as it is looked at: the present with the move about to be made, or an earlier position. */
function PlayedBoard({ scene, record, ownMove, announcement, isOver, onPremoveCancel }: PlayedBoardProps) {
  const { premove } = useBoardSettings();
  const { move } = ownMove;
  const { rules, table, pending, premove: waiting } = scene.shown;
  const tentative = move.type === "tentative" && !record.isPast ? move.played : null;
  const { position, lastMove } = record.isPast ? rewind(scene, record.ply) : scene;
  const isPresent = !record.isPast;
  const isPending = isPresent && (pending !== null || tentative !== null);
  const isMover = isPresent && tentative === null && mayMove(scene);
  const isAhead = isPresent && premove && mayPremove(scene);
  const drawn = tentative?.position ?? position;
  const drawnMove = tentative?.move ?? lastMove;
  const view = useMemo(
    () => toBoardView(rules, drawn, { lastMove: drawnMove, isPending, mayMove: isMover, mayPremove: isAhead }),
    [rules, drawn, drawnMove, isPending, isMover, isAhead],
  );
  const isFlipped = scene.bottom === 2;

  return (
    <Board
      view={view}
      isFlipped={isFlipped}
      stake={table.game === "checkers" ? table.stake : null}
      onMove={(path) => ownMove.choose(view.moves, path)}
      announcement={announcement}
      isOver={isOver}
      isPast={record.isPast}
      premove={isPresent ? (waiting?.path ?? null) : null}
      onPremoveCancel={onPremoveCancel}
    >
      {move.type === "promoting" && isPresent && (
        <PromotionChooser
          seat={scene.bottom}
          square={move.path.at(-1)!}
          isFlipped={isFlipped}
          onChoose={ownMove.promote}
          onCancel={ownMove.undo}
        />
      )}
    </Board>
  );
}

interface StateBarProps {
  readonly scene: Scene;
  readonly record: TableRecord;
  readonly ownMove: OwnMoveActs;
}

/** What there is to know or to do before anything else. */
function StateBar({ scene, record, ownMove }: StateBarProps) {
  const isOver = !isOpen(scene.shown.table.status);
  const { move, confirm, undo } = ownMove;
  if (record.isPast) return <PastBar record={record} turnTitle={isOver ? null : toPageTitle(scene, null)} />;
  if (move.type === "tentative") return <ConfirmBar text={move.text} onConfirm={confirm} onUndo={undo} />;
  if (isOver) return null;
  return (
    <>
      <TurnBanner scene={scene} />
      {record.count > 0 && (
        <IconButton
          className="look-back"
          icon="previous"
          label="Previous move"
          onClick={() => record.step("previous")}
        />
      )}
    </>
  );
}

function formatRecord({ isPast, ply, count }: TableRecord): string {
  return isPast ? `Earlier position. ${formatPly(ply, count)}.` : "";
}

function formatOwnMove({ move }: OwnMoveActs): string {
  return move.type === "tentative" ? `${move.text}, not played yet. Enter confirms, Escape undoes.` : "";
}

/** Of some texts the one that changed last, so that the others are not read out again. */
function useNewest(texts: readonly string[]): string {
  const [told, setTold] = useState({ texts, newest: "" });
  if (texts.some((text, index) => text !== told.texts[index])) {
    const newest = texts.findLast((text, index) => text !== "" && text !== told.texts[index]) ?? told.newest;
    setTold({ texts, newest });
  }
  return told.newest;
}

function toPageTitle(scene: Scene, result: ResultText | null): string {
  const { turn, seat } = scene;
  if (result !== null) return result.title;
  if (turn === null) return "Waiting for opponent";
  if (seat === null) return `${toName(scene, turn)} to move`;
  return turn === seat ? "Your turn" : "Opponent's turn";
}
