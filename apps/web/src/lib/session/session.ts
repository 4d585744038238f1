import type { GameId } from "@holo/kernel/ids.ts";
import { type Coins, parseCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { ProfileFields } from "@holo/protocol/accounts/profile.ts";
import type { RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";
import type { OwnPlayerView, RoleView, SessionView } from "@holo/protocol/accounts/session.ts";
import type { OpenGameView } from "@holo/protocol/game/games.ts";
import type { MaintenanceView, SettingsView } from "@holo/protocol/platform.ts";
import type { RequestInput } from "@holo/protocol/routes.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { useSyncExternalStore } from "react";
import { type ApiAnswer, callApi, holdLoads, releaseLoads } from "../api/api.ts";
import { retryUntilDone } from "../api/retry.ts";

/** Null fields mean a visitor. */
export interface Session {
  readonly player: OwnPlayerView | null;
  readonly role: RoleView | null;
  readonly balance: Coins;
  readonly openGame: OpenGameView | null;
  readonly settings: SettingsView;
  readonly pausedUntil: number | null;
  readonly limits: RestrictionsView | null;
  readonly maintenance: MaintenanceView | null;
}

interface Pushed<Value> {
  readonly value: Value;
  readonly sequence: number;
}

const WAS_PLAYER_KEY = "holo.was-player";
/** A request that hangs on a lost connection must not keep the next one waiting. */
const REQUEST_MS_MAX = 10_000;

let session: Session | null = null;
let pushedBalance: Pushed<Coins> | null = null;
let pushedGame: Pushed<OpenGameView | null> | null = null;
let pushedSettings: SettingsView | null = null;
let pushedLimits: RestrictionsView | null = null;
let pushedMaintenance: { readonly maintenance: MaintenanceView | null } | null = null;
/** Counts the player's changes to settings, when they are sent and when they are answered. */
let settingsChanges = 0;
/** Counts logins and logouts, so that an answer to an earlier request is dropped. */
let generation = 0;
/** Requests are numbered, so that a late answer never replaces that of a later request. */
let requests = 0;
let answered = 0;
let endReload = (): void => undefined;
const listeners = new Set<() => void>();

/** Null until the server has answered. */
export function currentSession(): Session | null {
  return session;
}

export function onSessionChanged(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useMaybeSession(): Session | null {
  return useSyncExternalStore(onSessionChanged, currentSession, currentSession);
}

export function useSession(): Session {
  const known = useMaybeSession();
  if (known === null) throw new Error("a page was shown before the session was known");
  return known;
}

/** The player's game that is being played, on whichever device; a waiting one does not count. */
export function findActiveGame(known: Session | null): GameId | null {
  return known?.openGame?.status === "active" ? known.openGame.gameId : null;
}

/** While it is not null the page gives no help with any position: no review, no hints. */
export function useActiveGame(): GameId | null {
  return findActiveGame(useMaybeSession());
}

/** Asks the server again. False if it could not be reached. */
export async function loadSession(): Promise<boolean> {
  requests += 1;
  const request = requests;
  const generationBefore = generation;
  const balanceBefore = pushedBalance;
  const gameBefore = pushedGame;
  const limitsBefore = pushedLimits;
  const changesBefore = settingsChanges;
  const settingsBefore = pushedSettings;
  const maintenanceBefore = pushedMaintenance;
  const answer = await callApi("session", {}, AbortSignal.timeout(REQUEST_MS_MAX)).catch(() => null);
  if (answer === null || !answer.ok) return false;
  if (generationBefore !== generation || request < answered) return true;
  answered = request;
  const view = toSession(answer.value);
  const isSamePlayer = view.player?.id === session?.player?.id;
  publish({
    ...view,
    player: isSamePlayer && settingsChanges !== changesBefore ? (session?.player ?? null) : view.player,
    // What was pushed during the request is newer than the answer.
    balance:
      isSamePlayer && pushedBalance !== null && pushedBalance !== balanceBefore ? pushedBalance.value : view.balance,
    openGame: isSamePlayer && pushedGame !== null && pushedGame !== gameBefore ? pushedGame.value : view.openGame,
    settings: pushedSettings !== null && pushedSettings !== settingsBefore ? pushedSettings : view.settings,
    maintenance:
      pushedMaintenance !== null && pushedMaintenance !== maintenanceBefore
        ? pushedMaintenance.maintenance
        : view.maintenance,
    limits: isSamePlayer && pushedLimits !== null && pushedLimits !== limitsBefore ? pushedLimits : view.limits,
  });
  return true;
}

/** Asks until the server answers: what was pushed to a lost connection is not pushed again. */
function reloadSession(): void {
  endReload();
  endReload = retryUntilDone(loadSession);
}

export async function login(form: RequestInput<"login", "body">): Promise<ApiAnswer<"login">> {
  const answer = await callApi("login", { body: form });
  if (answer.ok) {
    const { isFirst: _, ...session } = answer.value;
    replaceSession(session);
  }
  return answer;
}

interface Loads {
  /** Ends the loads in progress. */
  cancel(): Promise<void>;
  /** Starts those of the shown page again. */
  reload(): void;
}

let loads: Loads | null = null;

/** Called by the query library's module, so that the first load does not contain the library. */
export function registerLoads(queries: Loads): void {
  loads = queries;
}

export async function logout(): Promise<ApiAnswer<"logout">> {
  // The session of a request in progress would be gone when the server reads it.
  holdLoads();
  if (loads !== null) await loads.cancel();
  const answer = await callApi("logout", { body: {} });
  if (answer.ok) replaceSession(answer.value);
  // By then the player's pages have been removed, and their held loads with them.
  setTimeout(() => {
    releaseLoads();
    loads?.reload();
  });
  return answer;
}

/** Shows the change at once and reverts it if the server did not keep it. */
export async function saveSettings(change: Partial<ProfileFields>): Promise<ApiAnswer<"updateProfile">> {
  const before = session?.player ?? null;
  settingsChanges += 1;
  if (session !== null && before !== null) publish({ ...session, player: { ...before, ...change } });
  const answer = await callApi("updateProfile", { body: change });
  settingsChanges += 1;
  const player = answer.ok ? answer.value : before;
  if (session !== null && session.player?.id === player?.id) publish({ ...session, player });
  return answer;
}

export function receiveSessionFrame(frame: ServerFrame): void {
  switch (frame.type) {
    case "hello":
      // Sequence numbers restart with each connection, and pushes may have been missed.
      pushedBalance = null;
      pushedGame = null;
      pushedLimits = null;
      reloadSession();
      return;
    case "wallet": {
      const balance = parseCoins(frame.balance);
      if (!balance.ok || (pushedBalance !== null && frame.sequence <= pushedBalance.sequence)) return;
      pushedBalance = { value: balance.value, sequence: frame.sequence };
      if (session !== null) publish({ ...session, balance: balance.value });
      // Incoming coins may have repaid a debt that restricted the player.
      if (session?.limits?.moneyHold === "debt") reloadSession();
      return;
    }
    case "open_game":
      if (pushedGame !== null && frame.sequence <= pushedGame.sequence) return;
      pushedGame = { value: frame.openGame, sequence: frame.sequence };
      // A cancelled or missed game may have begun a cool-down, which is not pushed.
      if (frame.openGame === null && session !== null && session.openGame !== null) reloadSession();
      if (session !== null) publish({ ...session, openGame: frame.openGame });
      return;
    case "limits":
      receiveLimits(frame.limits);
      return;
    case "settings":
      pushedSettings = { rateKobo: frame.rateKobo, feeBps: frame.feeBps };
      if (session !== null) publish({ ...session, settings: pushedSettings });
      return;
    case "maintenance":
      receiveMaintenance(frame.maintenance);
      return;
    case "role_changed":
    case "session_ended":
      reloadSession();
      return;
    default:
      return;
  }
}

export function receiveLimits(limits: RestrictionsView): void {
  pushedLimits = limits;
  if (session !== null) publish({ ...session, limits });
}

export function receiveMaintenance(maintenance: MaintenanceView | null): void {
  pushedMaintenance = { maintenance };
  if (session !== null) publish({ ...session, maintenance });
}

function replaceSession(view: SessionView): void {
  generation += 1;
  pushedBalance = null;
  pushedGame = null;
  pushedLimits = null;
  publish(toSession(view));
}

function toSession(view: SessionView): Session {
  const balance = parseCoins(view.balance);
  return { ...view, balance: balance.ok ? balance.value : ZERO_COINS };
}

/** `app/theme-early.js` reads it too, for a page whose session is not known yet. */
function wasPlayer(): boolean {
  try {
    return localStorage.getItem(WAS_PLAYER_KEY) !== null;
  } catch {
    // Storage is blocked.
    return false;
  }
}

function saveWasPlayer(isPlayer: boolean): void {
  if (isPlayer === wasPlayer()) return;
  try {
    if (isPlayer) localStorage.setItem(WAS_PLAYER_KEY, "1");
    else localStorage.removeItem(WAS_PLAYER_KEY);
  } catch {
    // Storage is blocked: offline the tab bar says Login.
  }
}

function publish(next: Session): void {
  if (session === null || (session.player === null) !== (next.player === null)) saveWasPlayer(next.player !== null);
  session = next;
  for (const listener of listeners) listener();
}
