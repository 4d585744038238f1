import { type Coins, parseCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { LimitsView } from "@holo/protocol/limit-views.ts";
import type {
  MaintenanceView,
  OpenGameView,
  OwnPlayerView,
  RoleView,
  SessionView,
  SettingsView,
} from "@holo/protocol/views.ts";
import { useSyncExternalStore } from "react";
import { type ApiAnswer, callApi } from "./api.ts";

/** Who is at this page, what they have, and where they play. Null fields mean a visitor. */
export interface Session {
  readonly player: OwnPlayerView | null;
  readonly role: RoleView | null;
  readonly balance: Coins;
  readonly openGame: OpenGameView | null;
  readonly settings: SettingsView;
  readonly pausedUntil: number | null;
  /** What the player has set for themselves, as the server last said it; see ui/use-limits.ts. */
  readonly limits: LimitsView | null;
  /** What the house says of its maintenance; null while none is on. */
  readonly maintenance: MaintenanceView | null;
}

interface Pushed<Value> {
  readonly value: Value;
  readonly sequence: number;
}

let session: Session | null = null;
let pushedBalance: Pushed<Coins> | null = null;
let pushedGame: Pushed<OpenGameView | null> | null = null;
let pushedSettings: SettingsView | null = null;
let pushedLimits: LimitsView | null = null;
let pushedMaintenance: { readonly maintenance: MaintenanceView | null } | null = null;
/** Counts what the player does to their settings, here, and what comes of it. */
let settingsActs = 0;
/** Counts every change of who is at the page; an answer to a question of an earlier one is not used. */
let generation = 0;
const listeners = new Set<() => void>();

/** Null until the server has said who this is. */
export function currentSession(): Session | null {
  return session;
}

export function onSessionChanged(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useMaybeSession(): Session | null {
  return useSyncExternalStore(onSessionChanged, currentSession);
}

/** The session inside pages, which are shown only once it is known. */
export function useSession(): Session {
  const known = useMaybeSession();
  if (known === null) throw new Error("a page was shown before the session was known");
  return known;
}

/** Asks the server again; false when it could not be reached. */
export async function loadSession(): Promise<boolean> {
  const asked = generation;
  const heardBalance = pushedBalance;
  const heardGame = pushedGame;
  const heardLimits = pushedLimits;
  const knownActs = settingsActs;
  const heardSettings = pushedSettings;
  const heardMaintenance = pushedMaintenance;
  const answer = await callApi("session", {});
  if (!answer.ok) return false;
  if (asked !== generation) return true;
  const view = toSession(answer.value);
  const samePlayer = view.player?.id === session?.player?.id;
  publish({
    ...view,
    // a switch that was pressed meanwhile stays pressed
    player: samePlayer && settingsActs !== knownActs ? (session?.player ?? null) : view.player,
    // what was pushed while the answer was on its way is the newer word
    balance:
      samePlayer && pushedBalance !== null && pushedBalance !== heardBalance ? pushedBalance.value : view.balance,
    openGame: samePlayer && pushedGame !== null && pushedGame !== heardGame ? pushedGame.value : view.openGame,
    settings: pushedSettings !== null && pushedSettings !== heardSettings ? pushedSettings : view.settings,
    maintenance:
      pushedMaintenance !== null && pushedMaintenance !== heardMaintenance
        ? pushedMaintenance.maintenance
        : view.maintenance,
    limits: samePlayer && pushedLimits !== null && pushedLimits !== heardLimits ? pushedLimits : view.limits,
  });
  return true;
}

export async function login(email: string, password: string): Promise<ApiAnswer<"login">> {
  const answer = await callApi("login", { body: { email, password } });
  if (answer.ok) replaceSession(answer.value);
  return answer;
}

export async function logout(): Promise<ApiAnswer<"logout">> {
  const answer = await callApi("logout", { body: {} });
  if (answer.ok) replaceSession(answer.value);
  return answer;
}

/** Shows the setting at once and takes it back when the server did not keep it. */
export async function saveSettings(
  change: Partial<Pick<OwnPlayerView, "notificationsEnabled" | "soundEnabled" | "takebacksEnabled">>,
): Promise<ApiAnswer<"updateProfile">> {
  const before = session?.player ?? null;
  settingsActs += 1;
  if (session !== null && before !== null) publish({ ...session, player: { ...before, ...change } });
  const answer = await callApi("updateProfile", { body: change });
  settingsActs += 1;
  const player = answer.ok ? answer.value : before;
  if (session !== null && session.player?.id === player?.id) publish({ ...session, player });
  return answer;
}

/** Takes what the socket pushes about the player; every other frame is somebody else's. */
export function takeSessionFrame(frame: ServerFrame): void {
  switch (frame.type) {
    case "hello":
      // a new connection counts its pushes anew, and what was missed meanwhile has to be asked for
      pushedBalance = null;
      pushedGame = null;
      pushedLimits = null;
      void loadSession();
      return;
    case "wallet": {
      const balance = parseCoins(frame.balance);
      if (!balance.ok || (pushedBalance !== null && frame.sequence <= pushedBalance.sequence)) return;
      pushedBalance = { value: balance.value, sequence: frame.sequence };
      if (session !== null) publish({ ...session, balance: balance.value });
      return;
    }
    case "open_game":
      if (pushedGame !== null && frame.sequence <= pushedGame.sequence) return;
      pushedGame = { value: frame.openGame, sequence: frame.sequence };
      if (session !== null) publish({ ...session, openGame: frame.openGame });
      return;
    case "limits":
      takeLimits(frame.limits);
      return;
    case "settings":
      pushedSettings = { rateKobo: frame.rateKobo, feeBps: frame.feeBps };
      if (session !== null) publish({ ...session, settings: pushedSettings });
      return;
    case "maintenance":
      takeMaintenance(frame.maintenance);
      return;
    case "role_changed":
    case "session_ended":
      void loadSession();
      return;
    default:
      return;
  }
}

/** What the player has just set here, or in another tab. */
export function takeLimits(limits: LimitsView): void {
  pushedLimits = limits;
  if (session !== null) publish({ ...session, limits });
}

/** What holds from now on for everybody, as pushed or as answered to who turned the switch. */
export function takeMaintenance(maintenance: MaintenanceView | null): void {
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

function publish(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}
