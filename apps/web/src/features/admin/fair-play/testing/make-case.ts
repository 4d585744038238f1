import { gameIdOf, playerIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { FairPlayCaseView, FairPlayGameView } from "@holo/protocol/admin/fair-play-cases.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";

export const ADA = { id: playerIdOf("1"), username: "ada" };
export const CHIDI = { id: playerIdOf("3"), username: "chidi" };

export function makeGame(change: Partial<MatchView>): FairPlayGameView {
  const match: MatchView = {
    id: gameIdOf("1"),
    game: "chess",
    status: "completed",
    white: ADA,
    black: CHIDI,
    stake: 5,
    feeBps: 740,
    limitMinutes: 10,
    winner: 1,
    moveCount: 14,
    board: ".".repeat(64),
    createdAt: 0,
    updatedAt: 0,
    ...change,
  };
  return { match, finalScore: null, white: null, black: null, evaluation: null };
}

/** An open case about coins that chidi lost to ada. */
export function makeCase(change: Partial<FairPlayCaseView>): FairPlayCaseView {
  return {
    id: "00000000-0000-4000-8000-000000000001",
    kind: "flow",
    state: "open",
    player: ADA,
    openedAt: 0,
    untilAt: null,
    endedAt: null,
    coins: "64440000",
    bits: 14,
    hasMessage: false,
    proposal: null,
    appeal: null,
    findings: [],
    graph: { nodes: [], edges: [] },
    games: [],
    gamesLeftOut: 0,
    cluster: [],
    acts: [],
    payments: [],
    held: [],
    disputed: null,
    forfeit: { coins: "0", to: [] },
    refusals: { clear: null, propose: null, confirm: null, withdraw: null, answer: null },
    ...change,
  };
}
