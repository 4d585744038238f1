import { addCoins } from "@holo/kernel/money.ts";
import type { AvailabilityView, MatchView } from "@holo/protocol/game/games.ts";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import { MATCHES_PER_PAGE } from "@holo/protocol/lobby/match-list-terms.ts";
import { toGameFeeBps } from "@holo/table/platform-fee.ts";
import { isFree } from "@holo/table/stakes.ts";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { idlePrefetchedChunk } from "../../../lib/chunks/lazy-chunk.ts";
import { loadSession, useSession } from "../../../lib/session/session.ts";
import { subscribe } from "../../../lib/socket/socket.ts";
import { toGameTerms } from "../../../shared/match/match.ts";
import { sendMatchCommand } from "../../../shared/match/match-commands.ts";
import { useMatchList } from "../../../shared/match/use-match-list.ts";
import { RestrictionNote } from "../../../shared/restrictions/restriction-note.tsx";
import { PageHead } from "../../../ui/layout/page-head.tsx";
import { usePageTitle } from "../../../ui/layout/page-title.ts";
import { notify } from "../../../ui/overlay/notify.ts";
import { Opening } from "../../../ui/overlay/opening.tsx";
import { useGameStart } from "../use-game-start.ts";
import { AvailableMatches } from "./available-matches.tsx";
import { CreateForm } from "./create-form.tsx";
import { FindingMatchDialog } from "./finding-match-dialog.tsx";
import { isOpponentWaiting, type MatchChoice, readChoice } from "./match-choice.ts";
import { findOffer, findSwitch } from "./offers.ts";
import { PlayBar, QuickCreate } from "./quick-create.tsx";
import { useCreatedGame } from "./use-created-game.ts";
import "./create-match-page.css";

const JoinDialog = idlePrefetchedChunk(() => import("../matches/join-dialog.tsx"));

const findNoOffer = () => null;
const PENDING = { ...EVERY_MATCH, status: "pending" } as const;

export default function CreateMatchPage() {
  usePageTitle("Create Match");
  const { player, openGame, settings, balance } = useSession();
  const [, navigate] = useLocation();
  const [named] = useState(() => readChoice(location.search));
  const [choice, setChoice] = useState(named.choice);
  const [byInvitation, setByInvitation] = useState(named.byInvitation);
  const [nearRating, setNearRating] = useState(false);
  const [busy, setBusy] = useState(false);
  const waiting = useAvailability();
  const { list } = useMatchList(PENDING, MATCHES_PER_PAGE, player?.id ?? null, true);
  const offers = list?.matches ?? [];
  const findOfferOn = (terms: MatchChoice) => findOffer(offers, player?.id, terms);
  const [joined, setJoined] = useState<MatchView | null>(null);
  const startGame = useGameStart();
  const { createdId, waitingId, setWaitingId, isFound } = useCreatedGame(busy, startGame);

  // It is refunded before a switch.
  const paid = toGameTerms(choice.game, choice.stake, settings.feeBps).buyIn;

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

  function joinOffer(match: MatchView) {
    if (!isFree(match.stake)) return setJoined(match);
    // It has no costs to accept first: its seeker is paired with it.
    const { game, stake, limitMinutes } = match;
    setChoice({ game, stake, limitMinutes });
    void create({ game, stake, limitMinutes });
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
      <QuickCreate
        choice={choice}
        onChoose={setChoice}
        findOffer={byInvitation ? findNoOffer : findOfferOn}
        onJoin={joinOffer}
      />
      <div className="create-match">
        <AvailableMatches waiting={waiting} findOffer={findOfferOn} choice={choice} onChoose={setChoice} />
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
      {openGame === null && <PlayBar choice={choice} busy={busy} onPlay={() => void create()} />}
      {joined !== null && (
        <Opening onDropped={() => setJoined(null)}>
          <JoinDialog match={joined} onClose={() => setJoined(null)} />
        </Opening>
      )}
      {waitingId !== null && (
        <FindingMatchDialog
          choice={choice}
          gameId={waitingId}
          isFound={isFound}
          offer={findSwitch(offers, player?.id, choice, addCoins(balance, paid))}
          onCancelled={() => setWaitingId(null)}
          onSwitch={(match) => {
            setWaitingId(null);
            joinOffer(match);
          }}
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
