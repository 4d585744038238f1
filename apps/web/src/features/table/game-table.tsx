import type { Move } from "@holo/rules/rules.ts";
import { memo, Suspense, useDeferredValue, useMemo, useState } from "react";
import { prefetchedChunk } from "../../lib/chunks/lazy-chunk.ts";
import { useBoardSettings } from "../../shared/board/settings/board-settings.ts";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import { classes } from "../../ui/text/classes.ts";
import { TableActions } from "./actions/table-actions.tsx";
import { BoardSettingsButton } from "./board/board-settings.tsx";
import { MoveField } from "./board/move-field.tsx";
import { PlayedBoard } from "./board/played-board.tsx";
import { useKeptFocus } from "./board/use-kept-focus.ts";
import { type OwnMoveControls, useOwnMove } from "./board/use-own-move.ts";
import { Chat } from "./chat/chat.tsx";
import type { ChatStore } from "./chat/chat-store.ts";
import { useOwnClock } from "./clock/use-own-clock.ts";
import { useTableEvents } from "./events/use-table-events.ts";
import { formatPly, rewind, toTimesLeft } from "./history/history.ts";
import { MoveList } from "./history/move-list.tsx";
import { type GameHistory, useGameHistory } from "./history/use-history.ts";
import { OfferBars } from "./offers/offer-bars.tsx";
import { useOfferNotifications } from "./offers/use-offer-notifications.ts";
import { JoinSeat } from "./players/join-seat.tsx";
import { JoinTerms } from "./players/join-terms.tsx";
import { PlayerCard } from "./players/player-card.tsx";
import { CapturedCard, PaidPanel, StakePanel } from "./players/table-facts.tsx";
import { ResultPanel } from "./result/result-panel.tsx";
import { toResultText } from "./result/result-text.ts";
import { toPageTitle } from "./status/page-title.ts";
import { StateBar } from "./status/state-bar.tsx";
import type { TableStore } from "./store/table-store.ts";
import { type TableViewModel, toOpponent } from "./view-model.ts";

/** What surrounds the board renders in a later task, so that a press is drawn sooner. */
const Card = memo(PlayerCard);
const Offers = memo(OfferBars);
const Actions = memo(TableActions);
const Stake = memo(StakePanel);
const Captured = memo(CapturedCard);
const Moves = memo(MoveList);

const SETTINGS = <BoardSettingsButton />;
const TablePapers = prefetchedChunk(() => import("./result/game-details.tsx"));

interface GameTableProps {
  readonly viewModel: TableViewModel;
  readonly isSignedIn: boolean;
  readonly store: TableStore | null;
  readonly chat: ChatStore | null;
}

export function GameTable({ viewModel, isSignedIn, store, chat }: GameTableProps) {
  const { shown, bottom, seat } = viewModel;
  const { table } = shown;
  const result = toResultText(viewModel);
  const isWaiting = table.status === "waiting";
  const { moveField } = useBoardSettings();
  const record = useGameHistory(table.moves.length);
  const ownMove = useOwnMove(viewModel, store);
  usePageTitle(toPageTitle(viewModel, result));
  useKeptFocus();
  const announcement = useNewest([
    useTableEvents(viewModel),
    useOwnClock(viewModel),
    useOfferNotifications(viewModel),
    formatRecord(record),
    formatOwnMove(ownMove),
  ]);
  const around = useDeferredValue(viewModel);
  const aroundTable = around.shown.table;
  const aroundRecord = useDeferredValue(record);
  const timesLeft = useMemo(() => toTimesLeft(aroundTable), [aroundTable]);

  // After the end the clocks show the earlier position too. During a game they never do.
  const replay = result !== null && record.isPast ? rewind(viewModel, record.ply) : around;
  const chatButton = useMemo(
    () =>
      chat !== null &&
      around.seat !== null &&
      around.shown.players[1] !== null && <Chat viewModel={around} store={chat} />,
    [around, chat],
  );

  function playText({ path, promotion }: Move): void {
    record.leave();
    ownMove.choose([], path, promotion);
  }

  return (
    <>
      <div className={classes("game-page", result !== null && "over")}>
        <Card viewModel={replay} seat={toOpponent(bottom)} place="above" />
        <div className="board-place">
          <PlayedBoard
            viewModel={viewModel}
            record={record}
            ownMove={ownMove}
            announcement={announcement}
            isOver={result !== null}
            onPremoveCancel={() => store?.premove(null)}
          />
        </div>
        <Card viewModel={replay} seat={bottom} place="below" />
        <div className="state-place">
          <Offers viewModel={around} />
          <StateBar viewModel={around} record={record} ownMove={ownMove} />
          {result !== null && <ResultPanel viewModel={viewModel} text={result} />}
          {moveField && seat !== null && result === null && !isWaiting && (
            <MoveField viewModel={viewModel} onMove={playText} />
          )}
          <Actions viewModel={around}>{chatButton}</Actions>
          {isWaiting && seat === null && isSignedIn && <JoinSeat viewModel={viewModel} />}
        </div>
        <div className="facts-place">
          <Stake viewModel={around} />
          {isWaiting && (seat === null ? <JoinTerms viewModel={viewModel} /> : <PaidPanel viewModel={viewModel} />)}
          {!isWaiting && table.game === "checkers" && <Captured viewModel={replay} />}
          {!isWaiting && (
            <Moves texts={around.shown.moveTexts} record={aroundRecord} timesLeft={timesLeft} acts={SETTINGS} />
          )}
        </div>
      </div>
      {result !== null && (
        <Suspense>
          <TablePapers viewModel={viewModel} />
        </Suspense>
      )}
    </>
  );
}

function formatRecord({ isPast, ply, count }: GameHistory): string {
  return isPast ? `Earlier position. ${formatPly(ply, count)}.` : "";
}

function formatOwnMove({ move }: OwnMoveControls): string {
  return move.type === "tentative" ? `${move.text}, not played yet. Enter confirms, Escape undoes.` : "";
}

/** The text that changed last, so that the others are not announced again. */
function useNewest(texts: readonly string[]): string {
  const [told, setTold] = useState({ texts, newest: "" });
  if (texts.some((text, index) => text !== told.texts[index])) {
    const newest = texts.findLast((text, index) => text !== "" && text !== told.texts[index]) ?? told.newest;
    setTold({ texts, newest });
  }
  return told.newest;
}
