import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type {
  FairPlayActView,
  FairPlayCaseView,
  FairPlayGameView,
  ListedFairPlayCaseView,
} from "@holo/protocol/admin/fair-play-cases.ts";
import type { MatchView, PlayerView } from "@holo/protocol/game/games.ts";
import { countMembers, findPlayers } from "../../accounts/accounts.ts";
import {
  type CaseAct,
  decideAnswer,
  decideClear,
  decideConfirmation,
  decideProposal,
  decideWithdrawal,
  type FairPlayCase,
  findProposal,
  type GameScreening,
  type Gift,
  type HeldPayments,
  loadForfeit,
  loadScreenings,
  sumCoins,
  toStateAt,
} from "../../fairplay/fairplay.ts";
import { loadGames, loadMatchViews } from "../../game/game.ts";
import { loadWhereabouts, type Whereabouts } from "../../ledger/ledger.ts";
import { loadNewestPayments, loadPayment, toPaymentView } from "../../payments/payments.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { StaffMember } from "../authority.ts";
import { checkFairPlay } from "./fair-play-authority.ts";
import { toFlowGraph } from "./flow-graph.ts";

/** Each with a board: the page opens the others from the player's file. */
const GAMES_MAX = 20;
const SOURCES_MAX = 5;
const PAYMENTS_MAX = 10;

type FindPlayer = (id: PlayerId) => PlayerView;

export function toListedView(
  viewer: StaffMember,
  one: FairPlayCase,
  acts: readonly CaseAct[],
  { findPlayer, now }: { readonly findPlayer: FindPlayer; readonly now: Instant },
): ListedFairPlayCaseView {
  const state = toStateAt(one, now);
  const proposal = state === "open" ? findProposal(acts) : null;
  const isAnswered = acts.some(({ type }) => type === "appeal_answered");
  return {
    id: one.id,
    kind: one.kind,
    state,
    player: findPlayer(one.playerId),
    openedAt: one.openedAt,
    untilAt: one.untilAt,
    endedAt: one.endedAt ?? (state === "released" ? one.untilAt : null),
    coins: String(one.coins),
    bits: Math.max(0, ...one.finding.flows.map(({ bits }) => bits)),
    hasMessage: acts.some(({ type }) => type === "message"),
    proposal: proposal && {
      id: String(proposal.id),
      at: proposal.at,
      username: proposal.byId === null ? "" : findPlayer(proposal.byId).username,
      isOwn: proposal.byId === viewer.id,
      reason: proposal.text ?? "",
    },
    appeal: acts.some(({ type }) => type === "appealed") ? (isAnswered ? "answered" : "open") : null,
  };
}

interface CaseSources extends Pick<HeldPayments, "listHeld"> {
  readonly queries: Queries;
  readonly now: Instant;
}

export async function loadCaseView(
  viewer: StaffMember,
  one: FairPlayCase,
  acts: readonly CaseAct[],
  sources: CaseSources,
): Promise<FairPlayCaseView> {
  const { queries, now } = sources;
  const { held, gifts } = await loadForfeit(queries, one, sources, now);
  const shown = one.gameIds.slice(0, GAMES_MAX);
  const [games, screenings, deposit, whereabouts] = await Promise.all([
    loadGames(queries, shown),
    loadScreenings(queries, shown),
    one.paymentId === null ? null : loadPayment(queries, one.paymentId),
    one.paymentId === null ? null : loadWhereabouts(queries, { paymentId: one.paymentId, playerId: one.playerId }),
  ]);
  const players = await findPlayers(queries, listPlayers(one, acts, gifts, whereabouts));
  const findPlayer = (id: PlayerId): PlayerView => ({ id, username: players.get(id)?.username ?? id });
  const matches = await loadMatchViews(games, (ids) => findPlayers(queries, ids));
  const byId = new Map(matches.map((match) => [match.id, match]));
  const toGiftView = ({ playerId, coins }: Gift) => ({ player: findPlayer(playerId), coins: String(coins) });
  const graph = toFlowGraph(one.playerId, one.finding.edges);
  return {
    ...toListedView(viewer, one, acts, { findPlayer, now }),
    findings: one.finding.flows.map(({ sourceIds, coins, ...flow }) => ({
      ...flow,
      coins: String(coins),
      sources: sourceIds.map(findPlayer),
    })),
    graph: {
      nodes: graph.nodes.map(({ playerId, ...node }) => ({
        ...node,
        player: playerId === null ? null : findPlayer(playerId),
      })),
      edges: graph.edges.map((edge) => ({ ...edge, coins: String(edge.coins) })),
    },
    games: shown.flatMap((id) => {
      const match = byId.get(id);
      return match === undefined ? [] : [toGameView(match, screenings.get(id))];
    }),
    gamesLeftOut: one.gameIds.length - shown.length,
    cluster: one.finding.cluster
      .filter(({ playerId }) => playerId !== one.playerId)
      .map(({ playerId, strength, kinds }) => ({ player: findPlayer(playerId), strength, kinds: [...kinds] })),
    acts: acts.map(
      (act): FairPlayActView => ({
        id: String(act.id),
        at: act.at,
        type: act.type,
        username: act.byId === null ? null : findPlayer(act.byId).username,
        text: act.text,
        given: act.given.map(toGiftView),
        isAccepted: act.isAccepted,
      }),
    ),
    payments: await loadPaymentsOf(queries, one, findPlayer),
    held: held.map(({ playerId, paymentId, reference, kobo, coins, untilAt }) => ({
      ...{ player: findPlayer(playerId), paymentId, reference, untilAt },
      ...{ kobo: Number(kobo), coins: String(coins) },
    })),
    disputed:
      one.paymentId === null || whereabouts === null
        ? null
        : {
            reference: deposit?.reference ?? "",
            kobo: Number(deposit?.kobo ?? 0n),
            whereabouts: toWhereaboutsView(
              whereabouts,
              held.map(({ paymentId }) => paymentId),
              findPlayer,
            ),
          },
    forfeit: { coins: String(sumCoins(gifts)), to: gifts.map(toGiftView) },
    refusals: await loadRefusals(viewer, one, acts, { queries, now, gifts }),
  };
}

function listPlayers(
  one: FairPlayCase,
  acts: readonly CaseAct[],
  gifts: readonly Gift[],
  whereabouts: Whereabouts | null,
): readonly PlayerId[] {
  const ids = [
    one.playerId,
    ...one.concerned,
    ...one.finding.edges.flatMap(({ from, to }) => [from, to]),
    ...acts.flatMap(({ byId, given }) => [...(byId === null ? [] : [byId]), ...given.map(({ playerId }) => playerId)]),
    ...gifts.map(({ playerId }) => playerId),
    ...[...(whereabouts?.held ?? []), ...(whereabouts?.gone ?? [])].map(({ playerId }) => playerId),
  ];
  return [...new Set(ids)];
}

/** Of depositors, whose coins these are, only what they paid in. */
async function loadPaymentsOf(
  queries: Queries,
  { playerId, finding }: FairPlayCase,
  findPlayer: FindPlayer,
): Promise<FairPlayCaseView["payments"]> {
  const sources = finding.flows.flatMap(({ sourceIds }) => sourceIds).filter((id) => id !== playerId);
  const ids = [playerId, ...[...new Set(sources)].slice(0, SOURCES_MAX)];
  const loaded = await Promise.all(
    ids.map(async (id) => {
      const newest = (await loadNewestPayments(queries, id, PAYMENTS_MAX)).map(toPaymentView);
      return newest.map((payment) => ({ ...payment, player: findPlayer(id), isOwn: id === playerId }));
    }),
  );
  return loaded.flat().flatMap(({ id, player, kind, kobo, createdAt, status, isOwn }) => {
    const isVoid = kind === "deposit" && (status === "failed" || status === "abandoned");
    if (kind === "revenue" || isVoid || (kind === "withdrawal" && !isOwn)) return [];
    return [{ id, player, kind, kobo, at: createdAt, status }];
  });
}

function toGameView(
  match: MatchView,
  { finalScore, white, black, evaluation }: Partial<GameScreening> = {},
): FairPlayGameView {
  return {
    match,
    finalScore: finalScore ?? null,
    white: toFiguresView(white),
    black: toFiguresView(black),
    evaluation: evaluation == null ? null : { engine: evaluation.engine, scores: [...evaluation.scores] },
  };
}

function toFiguresView(figures: GameScreening["white"] | undefined): FairPlayGameView["white"] {
  if (figures == null) return null;
  const { choices, errors, firstChoices, medianMs } = figures;
  return { choices, errors, firstChoices, medianMs };
}

type WhereaboutsView = NonNullable<FairPlayCaseView["disputed"]>["whereabouts"];

function toWhereaboutsView(
  { held, gone }: Whereabouts,
  waiting: readonly PaymentId[],
  findPlayer: FindPlayer,
): WhereaboutsView {
  const toPlace = (paymentId: PaymentId | null) =>
    paymentId !== null && waiting.includes(paymentId) ? "waiting" : "paid";
  const withdrawn = gone.filter(({ kind }) => kind === "withdrawal");
  const places = [
    ...held.map((one) => ({ ...one, place: "wallet" as const })),
    ...withdrawn.map((one) => ({ ...one, place: toPlace(one.paymentId) }) as const),
  ];
  const other = gone.filter(({ kind }) => kind !== "withdrawal");
  return {
    places: [...Map.groupBy(places, ({ playerId, place }) => `${playerId} ${place}`).values()].flatMap((same) =>
      same.slice(0, 1).map(({ playerId, place }) => ({
        player: findPlayer(playerId),
        place,
        coins: String(sumCoins(same)),
      })),
    ),
    otherCoins: String(sumCoins(other)),
  };
}

/** Why each button would be refused to this viewer now. */
async function loadRefusals(
  viewer: StaffMember,
  one: FairPlayCase,
  acts: readonly CaseAct[],
  { queries, now, gifts }: { readonly queries: Queries; readonly now: Instant; readonly gifts: readonly Gift[] },
): Promise<FairPlayCaseView["refusals"]> {
  const allowed = await checkFairPlay(queries, viewer.id, one, gifts);
  const conflict = allowed.ok || allowed.refusal !== "own_matter" ? null : allowed.refusal;
  const by = { memberId: viewer.id, now, proposalId: null };
  const members = await countMembers(queries);
  const isEmpty = gifts.length === 0;
  return {
    clear: conflict ?? decideClear(one, acts, now),
    propose: conflict ?? decideProposal(one, acts, { now, members }) ?? (isEmpty ? "nothing_to_forfeit" : null),
    confirm: conflict ?? decideConfirmation(one, acts, by) ?? (isEmpty ? "nothing_to_forfeit" : null),
    withdraw: conflict ?? decideWithdrawal(one, acts, by),
    answer: conflict ?? decideAnswer(acts, viewer.id),
  };
}
