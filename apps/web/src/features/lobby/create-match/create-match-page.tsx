import type { AvailabilityView } from "@holo/protocol/game/games.ts";
import { toGameFeeBps } from "@holo/table/platform-fee.ts";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { loadSession, useSession } from "../../../lib/session/session.ts";
import { subscribe } from "../../../lib/socket/socket.ts";
import { sendMatchCommand } from "../../../shared/match/match-commands.ts";
import { RestrictionNote } from "../../../shared/restrictions/restriction-note.tsx";
import { PageHead } from "../../../ui/layout/page-head.tsx";
import { usePageTitle } from "../../../ui/layout/page-title.ts";
import { notify } from "../../../ui/overlay/notify.ts";
import { useGameStart } from "../use-game-start.ts";
import { AvailableMatches } from "./available-matches.tsx";
import { CreateForm } from "./create-form.tsx";
import { FindingMatchDialog } from "./finding-match-dialog.tsx";
import { isOpponentWaiting, type MatchChoice, readChoice } from "./match-choice.ts";
import { useCreatedGame } from "./use-created-game.ts";
import "./create-match-page.css";

export default function CreateMatchPage() {
  usePageTitle("Create Match");
  const { openGame, settings } = useSession();
  const [, navigate] = useLocation();
  const [named] = useState(() => readChoice(location.search));
  const [choice, setChoice] = useState(named.choice);
  const [byInvitation, setByInvitation] = useState(named.byInvitation);
  const [nearRating, setNearRating] = useState(false);
  const [busy, setBusy] = useState(false);
  const waiting = useAvailability();
  const startGame = useGameStart();
  const { createdId, waitingId, setWaitingId, isFound } = useCreatedGame(busy, startGame);

  async function create(wished = choice) {
    setBusy(true);
    const answer = await sendMatchCommand({
      type: "create",
      ...wished,
      feeBps: toGameFeeBps(wished.stake, settings.feeBps),
      byInvitation,
      ...(nearRating && !byInvitation ? { nearRating } : {}),
    });
    setBusy(false);
    if (answer.type === "refused") {
      if (answer.refusal.code === "fee_changed") void loadSession();
      if (answer.refusal.code === "pending_game_exists") navigate("/matches");
      if (answer.refusal.code === "active_game_exists" && openGame !== null) navigate(`/game/${openGame.gameId}`);
      return;
    }
    if (answer.isActive) {
      notify({ kind: "done", title: "Match found!", text: "Starting game..." });
      startGame(answer.gameId);
      return;
    }
    createdId.current = answer.gameId;
    // The link is shared from the waiting page.
    if (byInvitation) return navigate(`/game/${answer.gameId}`);
    setWaitingId(answer.gameId);
  }

  function playFree() {
    const free: MatchChoice = { ...choice, stake: 0 };
    setChoice(free);
    void create(free);
  }

  return (
    <>
      <PageHead title="Create Match" />
      <RestrictionNote />
      <div className="create-match">
        <AvailableMatches waiting={waiting} choice={choice} onChoose={setChoice} />
        <CreateForm
          choice={choice}
          onChoose={setChoice}
          byInvitation={byInvitation}
          onChooseOpponent={setByInvitation}
          nearRating={nearRating}
          onChooseBand={setNearRating}
          busy={busy}
          onCreate={() => void create()}
          onPlayFree={playFree}
        />
      </div>
      {waitingId !== null && (
        <FindingMatchDialog
          choice={choice}
          gameId={waitingId}
          isFound={isFound}
          onCancelled={() => setWaitingId(null)}
          onLeave={() => navigate("/")}
        />
      )}
    </>
  );
}

/** Returns whether an opponent waits on given terms, updated by pushes. */
function useAvailability(): (choice: MatchChoice) => boolean {
  const [waiting, setWaiting] = useState<readonly AvailabilityView[]>([]);
  useEffect(
    () =>
      subscribe({
        watch: { type: "watch_availability" },
        unwatch: { type: "unwatch_availability" },
        receive(frame) {
          if (frame.type === "availability") setWaiting(frame.waiting);
        },
      }),
    [],
  );
  return (choice) => isOpponentWaiting(waiting, choice);
}
