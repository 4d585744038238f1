import type { Move } from "@holo/rules/rules.ts";
import { memo, Suspense, useDeferredValue, useMemo, useState } from "react";
import { useBoardSettings } from "../../lib/board-settings.ts";
import type { ChatStore } from "../../lib/chat-store.ts";
import { nearPart } from "../../lib/late-part.ts";
import type { TableStore } from "../../lib/table-store.ts";
import { classes } from "../../ui/classes.ts";
import { usePageTitle } from "../../ui/page-title.ts";
import { BoardSettingsButton } from "./board-settings.tsx";
import { Chat } from "./chat.tsx";
import { JoinSeat } from "./join-seat.tsx";
import { JoinTerms } from "./join-terms.tsx";
import { MoveField } from "./move-field.tsx";
import { MoveList } from "./move-list.tsx";
import { OfferBars } from "./offer-bars.tsx";
import { toPageTitle } from "./page-title.ts";
import { PlayedBoard } from "./played-board.tsx";
import { PlayerCard } from "./player-card.tsx";
import { formatPly, rewind, toTimesLeft } from "./record.ts";
import { ResultPanel } from "./result-panel.tsx";
import { toResultText } from "./result-text.ts";
import { type Scene, toOpponent } from "./scene.ts";
import { StateBar } from "./state-bar.tsx";
import { TableActions } from "./table-actions.tsx";
import { CapturedCard, PaidPanel, StakePanel } from "./table-facts.tsx";
import { useKeptFocus } from "./use-kept-focus.ts";
import { useOfferNews } from "./use-offer-news.ts";
import { useOwnClock } from "./use-own-clock.ts";
import { type OwnMoveActs, useOwnMove } from "./use-own-move.ts";
import { type TableRecord, useRecord } from "./use-record.ts";
import { useTableEvents } from "./use-table-events.ts";

/** What stands around the board is drawn after it, in a task of its own: a press shows its move sooner on a slow phone. */
const Card = memo(PlayerCard);
const Offers = memo(OfferBars);
const Actions = memo(TableActions);
const Stake = memo(StakePanel);
const Captured = memo(CapturedCard);
const Moves = memo(MoveList);

const SETTINGS = <BoardSettingsButton />;
const TablePapers = nearPart(() => import("./table-papers.tsx"));

interface GameTableProps {
  readonly scene: Scene;
  readonly isSignedIn: boolean;
  readonly store: TableStore | null;
  readonly chat: ChatStore | null;
}

export function GameTable({ scene, isSignedIn, store, chat }: GameTableProps) {
  const { shown, bottom, seat } = scene;
  const { table } = shown;
  const result = toResultText(scene);
  const isWaiting = table.status === "waiting";
  const { moveField } = useBoardSettings();
  const record = useRecord(table.moves.length);
  const ownMove = useOwnMove(scene, store);
  usePageTitle(toPageTitle(scene, result));
  useKeptFocus();
  const announcement = useNewest([
    useTableEvents(scene),
    useOwnClock(scene),
    useOfferNews(scene),
    formatRecord(record),
    formatOwnMove(ownMove),
  ]);
  const around = useDeferredValue(scene);
  const aroundTable = around.shown.table;
  const aroundRecord = useDeferredValue(record);
  const timesLeft = useMemo(() => toTimesLeft(aroundTable), [aroundTable]);

  // a game that is over is looked at as it was then, its clocks included; in one that goes on the clocks never leave the present
  const replay = result !== null && record.isPast ? rewind(scene, record.ply) : around;
  const chatButton = useMemo(
    () =>
      chat !== null && around.seat !== null && around.shown.players[1] !== null && <Chat scene={around} store={chat} />,
    [around, chat],
  );

  function playText({ path, promotion }: Move): void {
    record.leave();
    ownMove.choose([], path, promotion);
  }

  return (
    <>
      <div className={classes("game-page", result !== null && "over")}>
        <Card scene={replay} seat={toOpponent(bottom)} place="above" />
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
        <Card scene={replay} seat={bottom} place="below" />
        <div className="state-place">
          <Offers scene={around} />
          <StateBar scene={around} record={record} ownMove={ownMove} />
          {result !== null && <ResultPanel scene={scene} text={result} />}
          {moveField && seat !== null && result === null && !isWaiting && <MoveField scene={scene} onMove={playText} />}
          <Actions scene={around}>{chatButton}</Actions>
          {isWaiting && seat === null && isSignedIn && <JoinSeat scene={scene} />}
        </div>
        <div className="facts-place">
          <Stake scene={around} />
          {isWaiting && (seat === null ? <JoinTerms scene={scene} /> : <PaidPanel scene={scene} />)}
          {!isWaiting && table.game === "checkers" && <Captured scene={replay} />}
          {!isWaiting && (
            <Moves texts={around.shown.moveTexts} record={aroundRecord} timesLeft={timesLeft} acts={SETTINGS} />
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
