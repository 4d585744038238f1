import { toRefusalView } from "@holo/protocol/refusals.ts";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { loadSession, useSession } from "../../lib/session.ts";
import { BreakNotice } from "../../ui/break-notice.tsx";
import { notify } from "../../ui/notify.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { usePageTitle } from "../../ui/page-title.ts";
import { AvailableMatches } from "./available-matches.tsx";
import { sendLobbyCommand } from "./commands.ts";
import { CreateForm } from "./create-form.tsx";
import { FindingMatch } from "./finding-match.tsx";
import type { MatchChoice } from "./match-choice.ts";
import { useAvailability } from "./use-availability.ts";
import { useGameStart } from "./use-game-start.ts";
import "./create-match-page.css";

export default function CreateMatchPage() {
  usePageTitle("Create Match");
  const { player, openGame, settings } = useSession();
  const [, navigate] = useLocation();
  const [choice, setChoice] = useState<MatchChoice>({ game: "checkers", stake: 1, limitMinutes: 5 });
  const [busy, setBusy] = useState(false);
  /** The waiting game that this page made. */
  const [waitingId, setWaitingId] = useState<string | null>(null);
  /** The last game that this page made, waiting or no longer so. */
  const made = useRef<string | null>(null);
  const waiting = useAvailability(player?.id ?? null);
  const startGame = useGameStart();

  // one open game per player: who has one waiting is sent to it, also when another tab made it; one's own may be heard of before the answer
  useEffect(() => {
    if (busy || openGame?.status !== "waiting" || openGame.gameId === made.current) return;
    showPendingExists();
    navigate("/matches", { replace: true });
  }, [busy, openGame, navigate]);

  const isFound = waitingId !== null && openGame?.gameId === waitingId && openGame.status === "active";
  const lastOpen = useRef(openGame);
  useEffect(() => {
    // the house cancelled it, or another tab did
    if (openGame === null && lastOpen.current !== null && lastOpen.current.gameId === waitingId) setWaitingId(null);
    lastOpen.current = openGame;
  }, [openGame, waitingId]);
  useEffect(() => {
    if (isFound) startGame(waitingId);
  }, [isFound, startGame, waitingId]);

  async function create() {
    setBusy(true);
    const answer = await sendLobbyCommand({ type: "create", ...choice, feeBps: settings.feeBps });
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
    made.current = answer.gameId;
    setWaitingId(answer.gameId);
  }

  return (
    <>
      <PageHead title="Create Match" />
      <BreakNotice />
      <div className="create-match">
        <AvailableMatches waiting={waiting} choice={choice} onChoose={setChoice} />
        <CreateForm choice={choice} onChoose={setChoice} busy={busy} onCreate={() => void create()} />
      </div>
      {waitingId !== null && (
        <FindingMatch choice={choice} gameId={waitingId} isFound={isFound} onCancelled={() => setWaitingId(null)} />
      )}
    </>
  );
}

function showPendingExists() {
  const { title, text } = toRefusalView("pending_game_exists");
  notify({ kind: "failed", title, text });
}
