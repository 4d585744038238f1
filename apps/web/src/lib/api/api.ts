import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { FoundPlayersView, GameChatView, PlayerFileView, ReportsView } from "@holo/protocol/admin/moderation.ts";
import type {
  AdminSettingsView,
  AdminsView,
  AuditEventsView,
  DaysView,
  LiveFiguresView,
  OverviewView,
  ReconciliationView,
  RevenueView,
  ReviewsView,
  SettingsEffectView,
} from "@holo/protocol/admin/money.ts";
import type {
  AvailabilityView,
  ContactView,
  HistoryView,
  JournalEntryView,
  LeaderboardView,
  LogRowView,
  MaintenanceView,
  MatchView,
  OwnPlayerView,
  OwnSessionView,
  PlayerStatsView,
  ProfileView,
  RelationView,
  SessionView,
  StatsView,
} from "@holo/protocol/games.ts";
import type { ClosingView, PaymentView, StatementRowView, WalletView } from "@holo/protocol/payments.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { ReleasesView, ReleaseView } from "@holo/protocol/releases.ts";
import type { RestrictionsView } from "@holo/protocol/restrictions.ts";
import { ROUTE_PATHS } from "@holo/protocol/route-paths.ts";
import type { RouteBody, RouteName, RouteParams, RouteQuery } from "@holo/protocol/routes.ts";

/** What each route answers with, under the views' own names. */
interface RouteViews {
  readonly register: Record<string, never>;
  readonly login: SessionView;
  readonly logout: SessionView;
  readonly verifyEmail: Record<string, never>;
  readonly resendVerification: Record<string, never>;
  readonly forgotPassword: Record<string, never>;
  readonly resetPassword: Record<string, never>;
  readonly changePassword: Record<string, never>;
  readonly changeEmail: Record<string, never>;
  readonly sessions: { readonly sessions: readonly OwnSessionView[] };
  readonly endSession: { readonly sessions: readonly OwnSessionView[] };
  readonly endAllSessions: Record<string, never>;
  readonly session: SessionView;
  readonly profile: ProfileView;
  readonly updateProfile: OwnPlayerView;
  readonly matches: { readonly matches: readonly MatchView[] };
  readonly match: MatchView;
  readonly settlement: { readonly entries: readonly JournalEntryView[] };
  readonly log: LogView;
  readonly player: PlayerStatsView;
  readonly updateRelation: RelationView;
  readonly report: { readonly reportId: string };
  readonly availability: { readonly waiting: readonly AvailabilityView[] };
  readonly stats: StatsView;
  readonly leaderboard: LeaderboardView;
  readonly contact: ContactView;
  readonly history: HistoryView;
  readonly statement: { readonly rows: readonly StatementRowView[]; readonly next: string | null };
  readonly wallet: WalletView;
  readonly deposit: { readonly payment: PaymentView; readonly authorizationUrl: string };
  readonly reopenDeposit: { readonly payment: PaymentView; readonly authorizationUrl: string };
  readonly checkDeposit: PaymentView;
  readonly banks: { readonly banks: readonly { readonly code: string; readonly name: string }[] };
  readonly verifyAccount: { readonly accountName: string; readonly isKnown: boolean };
  readonly withdraw: PaymentView;
  readonly closing: ClosingView;
  readonly closeAccount: ClosingView;
  readonly deleteAccount: Record<string, never>;
  readonly limits: RestrictionsView;
  readonly updateLimits: RestrictionsView;
  readonly excludeSelf: RestrictionsView;
  readonly adminOverview: OverviewView;
  readonly adminLive: LiveFiguresView;
  readonly adminDays: DaysView;
  readonly admins: AdminsView;
  readonly addAdmin: AdminsView;
  readonly removeAdmin: AdminsView;
  readonly adminActs: AuditEventsView;
  readonly adminSettings: AdminSettingsView;
  readonly settingsEffect: SettingsEffectView;
  readonly changeSettings: AdminSettingsView;
  readonly reviews: ReviewsView;
  readonly endReview: ReviewsView;
  readonly sendLeftCoins: ReviewsView;
  readonly adminReconcile: ReconciliationView;
  readonly revenue: RevenueView;
  readonly withdrawRevenue: PaymentView;
  readonly switchMaintenance: { readonly maintenance: MaintenanceView | null };
  readonly cancelGame: Record<string, never>;
  readonly gameChat: GameChatView;
  readonly reports: ReportsView;
  readonly endReport: Record<string, never>;
  readonly findPlayers: FoundPlayersView;
  readonly playerFile: PlayerFileView;
  readonly playerGames: { readonly matches: readonly MatchView[]; readonly next: string | null };
  readonly playerEntries: { readonly rows: readonly StatementRowView[]; readonly next: string | null };
  readonly blockPlayer: Record<string, never>;
  readonly unblockPlayer: Record<string, never>;
  readonly releases: ReleasesView;
  readonly adminReleases: ReleasesView;
  readonly makeReleaseCurrent: ReleaseView;
}

/** The whole log of a game that is over, with the hashes that chain its rows. */
export interface LogView {
  /** What the first row's hash follows. */
  readonly before: string;
  readonly rows: readonly LogRowView[];
  readonly finalHash: string;
}

export type ApiAnswer<Name extends RouteName> = Result<RouteViews[Name], RefusalView>;

type Given<Key extends string, Value> = Value extends undefined ? unknown : { readonly [K in Key]: Value };
type ApiInput<Name extends RouteName> = Given<"body", RouteBody<Name>> &
  Given<"query", RouteQuery<Name>> &
  Given<"params", RouteParams<Name>>;
type LooseInput = { readonly body?: unknown; readonly query?: object; readonly params?: object };

const UNREACHABLE: RefusalView = {
  code: "unavailable",
  title: "No connection",
  text: "The arena could not be reached. Please try again.",
};

/**
 * Asks the server by a route's name. Its refusals and a missing connection come back as refusals with words for the player; nothing is
 * thrown but an abort by the caller's own signal.
 */
export async function callApi<Name extends RouteName>(
  name: Name,
  input: ApiInput<Name>,
  signal?: AbortSignal,
): Promise<ApiAnswer<Name>> {
  const [method, path] = ROUTE_PATHS[name];
  const { body, query = {}, params = {} } = input as LooseInput;
  // who asks wants to know what is so now
  const init: RequestInit = { method, credentials: "same-origin", cache: "no-cache", signal: signal ?? null };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  try {
    const response = await fetch(fillPath(path, params) + formatQuery(query), init);
    const content: unknown = await response.json();
    if (!response.ok) return refuse(isRefusalView(content) ? content : UNREACHABLE);
    return ok(content as RouteViews[Name]);
  } catch (fault) {
    if (signal?.aborted === true) throw fault;
    return refuse(UNREACHABLE);
  }
}

/** For who wants the answer or an exception, such as a query that retries. */
export async function fetchApi<Name extends RouteName>(
  name: Name,
  input: ApiInput<Name>,
  signal?: AbortSignal,
): Promise<RouteViews[Name]> {
  const answer = await callApi(name, input, signal);
  if (!answer.ok) throw new Error(answer.refusal.text, { cause: answer.refusal });
  return answer.value;
}

/** What stands between page and server answers in words of its own when the server is gone. */
export function isRefusalView(content: unknown): content is RefusalView {
  return typeof content === "object" && content !== null && "code" in content && "text" in content;
}

function fillPath(path: string, params: object): string {
  return Object.entries(params).reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  );
}

function formatQuery(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
