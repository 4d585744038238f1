import { z } from "zod";
import { fairPlayText } from "../fair-play.ts";
import { coins, cursor, instant, kobo, paymentId, whole } from "../fields.ts";
import { match, player } from "../game/games.ts";
import { paymentStatus } from "../payments/payments.ts";
import type { Route, View } from "../route.ts";

const caseKind = z.enum([
  /** Coins that were probably lost on purpose. */
  "flow",
  /** Coins won by play that looks like a program's. */
  "engine",
  /** Coins of a disputed deposit (ruling 52): never forfeited. */
  "dispute",
  /** Suspicious, but not enough to hold. */
  "listed",
  /** A withdrawal chosen by chance, to learn how often nothing is found. */
  "review",
]);
export type FairPlayCaseKind = View<typeof caseKind>;

const caseState = z.enum([
  "open",
  /** Its time was over. */
  "released",
  "cleared",
  "forfeited",
  /** What it was about has ended: the dispute was won. */
  "closed",
]);
export type FairPlayCaseState = View<typeof caseState>;

const proposal = z.strictObject({
  id: z.string(),
  at: instant,
  username: z.string(),
  isOwn: z.boolean(),
  reason: z.string(),
});

const listedCase = z.strictObject({
  id: z.uuid(),
  kind: caseKind,
  state: caseState,
  player,
  openedAt: instant,
  /** When its coins are released by themselves; null: it holds none. */
  untilAt: instant.nullable(),
  endedAt: instant.nullable(),
  /** Suspected at its opening. */
  coins,
  /** The strongest of its findings; 0 without any. */
  bits: z.number(),
  hasMessage: z.boolean(),
  proposal: proposal.nullable(),
  appeal: z.enum(["open", "answered"]).nullable(),
});
export type ListedFairPlayCaseView = View<typeof listedCase>;

const signal = z.strictObject({
  name: z.string(),
  version: whole,
  class: z.string(),
  bits: z.number(),
  figures: z.record(z.string(), z.number()),
  threshold: z.number(),
});
export type FairPlaySignalView = View<typeof signal>;

const finding = z.strictObject({
  kind: z.enum(["flow", "engine"]),
  decision: z.enum(["hold", "list"]),
  coins,
  bits: z.number(),
  sources: z.array(player),
  signals: z.array(signal),
});
export type FairPlayFindingView = View<typeof finding>;

/** How the suspected coins came to the player, as they were at the case's opening. */
const graph = z.strictObject({
  /** At most 12: those with the most coins. The others are one node without a player, `others`. */
  nodes: z.array(
    z.strictObject({
      id: z.string(),
      /** Null: several players together. */
      player: player.nullable(),
      /** `source`: whose deposit it was; `player`: whose case it is. */
      role: z.enum(["source", "between", "player", "others"]),
      players: whole,
    }),
  ),
  /** `from` lost these coins to `to`. */
  edges: z.array(z.strictObject({ from: z.string(), to: z.string(), coins, games: whole, lastAt: instant })),
});
export type FairPlayGraphView = View<typeof graph>;

/** What the engine found in one side's moves. */
const moveFigures = z.strictObject({
  /** Moves with more than one legal choice. */
  choices: whole,
  /** Moves that lost at least a quarter of the expected score. */
  errors: whole,
  /** Choices that equal the engine's. */
  firstChoices: whole,
  /** Of choices, without network time. */
  medianMs: z.number(),
});

const game = z.strictObject({
  match,
  /** Hundredths of a pawn or man, for the loser of a game that was given up; null: not screened. */
  finalScore: z.number().nullable(),
  /** Null until the engine has judged each move. */
  white: moveFigures.nullable(),
  black: moveFigures.nullable(),
  /** By ply: white's score in hundredths, before the first move and after each. */
  evaluation: z.strictObject({ engine: z.string(), scores: z.array(z.number()) }).nullable(),
});
export type FairPlayGameView = View<typeof game>;

const whereabouts = z.strictObject({
  places: z.array(
    z.strictObject({
      player,
      /** In the wallet, in a withdrawal that waits for the case, or paid out already. */
      place: z.enum(["wallet", "waiting", "paid"]),
      coins,
    }),
  ),
  /** Fees of games, coins taken back, repaid debts. */
  otherCoins: coins,
});

const act = z.strictObject({
  id: z.string(),
  at: instant,
  type: z.enum([
    "note",
    "proposed",
    "withdrawn",
    "cleared",
    "forfeited",
    "released",
    "closed",
    /** By the player. */
    "message",
    "appealed",
    "appeal_answered",
  ]),
  /** Null: the server itself. */
  username: z.string().nullable(),
  text: z.string().nullable(),
  /** What was paid to whom; empty for acts that move nothing. */
  given: z.array(z.strictObject({ player, coins })),
  /** Of an answered appeal; else null. */
  isAccepted: z.boolean().nullable(),
});
export type FairPlayActView = View<typeof act>;

/** Why a button would be refused now; null: it would not. */
const refusal = z
  .enum([
    "own_matter",
    "case_over",
    "forfeit_proposed",
    "never_forfeited",
    "two_members_needed",
    "proposal_over",
    "second_member_needed",
    "nothing_to_forfeit",
    "no_appeal",
    "appeal_answered",
    "third_member_needed",
  ])
  .nullable();
export type FairPlayRefusal = NonNullable<View<typeof refusal>>;

const fairPlayCase = listedCase.extend({
  findings: z.array(finding),
  graph,
  /** The newest of those that the coins were won in. */
  games: z.array(game),
  gamesLeftOut: whole,
  /** Accounts joined with the player at the case's opening; without addresses and numbers. */
  cluster: z.array(z.strictObject({ player, strength: z.number(), kinds: z.array(z.string()) })),
  acts: z.array(act),
  /** For the timeline: newest deposits of sources, what the player paid in and asked for. */
  payments: z.array(
    z.strictObject({
      id: paymentId,
      player,
      kind: z.enum(["deposit", "withdrawal"]),
      kobo,
      at: instant,
      status: paymentStatus,
    }),
  ),
  /** Withdrawals that wait for it; of a disputed deposit by anyone who has its coins. */
  held: z.array(z.strictObject({ player, paymentId, reference: z.string(), kobo, coins, untilAt: instant })),
  /** Of a disputed deposit; else null. */
  disputed: z.strictObject({ reference: z.string(), kobo, whereabouts }).nullable(),
  /** Whom a forfeit would pay now, and what. */
  forfeit: z.strictObject({ coins, to: z.array(z.strictObject({ player, coins })) }),
  refusals: z.strictObject({
    clear: refusal,
    propose: refusal,
    confirm: refusal,
    withdraw: refusal,
    answer: refusal,
  }),
});
export type FairPlayCaseView = View<typeof fairPlayCase>;

const ACT_REFUSALS = ["reason_missing", "unknown_case", "own_matter"] as const;
const proposalOrder = z.strictObject({ id: z.uuid(), proposalId: cursor });
const order = z.strictObject({ id: z.uuid(), reason: fairPlayText });

export const FAIR_PLAY_CASE_ROUTES = {
  /**
   * Open ones and those with an appeal to answer, earliest deadline first; or ended ones, newest
   * first. Omits those that concern the viewer, and those of admins for other admins.
   */
  fairPlayCases: {
    method: "get",
    path: "/api/admin/fair-play",
    access: "admin",
    refusals: [],
    query: z.strictObject({ state: z.enum(["open", "ended"]), offset: cursor.optional() }),
    response: z.strictObject({ cases: z.array(listedCase), next: z.string().nullable() }),
  },
  fairPlayCase: {
    method: "get",
    path: "/api/admin/fair-play/cases/{id}",
    access: "admin",
    refusals: ["unknown_case"],
    params: z.strictObject({ id: z.uuid() }),
    response: fairPlayCase,
  },
  noteFairPlayCase: {
    method: "post",
    path: "/api/admin/fair-play/note",
    access: "admin",
    refusals: ACT_REFUSALS,
    body: order,
    response: fairPlayCase,
  },
  /** By one member. Its coins leave at once, and its games are not held against anyone again. */
  clearFairPlayCase: {
    method: "post",
    path: "/api/admin/fair-play/clear",
    access: "admin",
    refusals: [...ACT_REFUSALS, "case_over", "forfeit_proposed"],
    body: order,
    response: fairPlayCase,
  },
  /** Moves nothing: another member confirms it before the hold ends. */
  proposeForfeit: {
    method: "post",
    path: "/api/admin/fair-play/propose",
    access: "admin",
    refusals: [...ACT_REFUSALS, "never_forfeited", "case_over", "forfeit_proposed", "two_members_needed"],
    body: order,
    response: fairPlayCase,
  },
  withdrawForfeit: {
    method: "post",
    path: "/api/admin/fair-play/withdraw",
    access: "admin",
    refusals: ["unknown_case", "own_matter", "case_over", "proposal_over"],
    body: proposalOrder,
    response: fairPlayCase,
  },
  /** The coins go back to those who lost them. */
  confirmForfeit: {
    method: "post",
    path: "/api/admin/fair-play/confirm",
    access: "admin",
    refusals: [
      "unknown_case",
      "own_matter",
      "case_over",
      "proposal_over",
      "second_member_needed",
      "nothing_to_forfeit",
    ],
    body: proposalOrder,
    response: fairPlayCase,
  },
  /** By someone else than the two, with a reason that the player reads. We pay an accepted one. */
  answerAppeal: {
    method: "post",
    path: "/api/admin/fair-play/appeal",
    access: "admin",
    refusals: [...ACT_REFUSALS, "no_appeal", "appeal_answered", "third_member_needed", "appeal_unpayable"],
    body: order.extend({ isAccepted: z.boolean() }),
    response: fairPlayCase,
  },
} as const satisfies Record<string, Route>;
