import { useSyncExternalStore } from "react";
import { currentSession, onSessionChanged } from "./session.ts";

/** What silences a page: ruling 29. Notifications cover chat, offers and notices of the browser, sound covers every sound. */
export type SwitchName = "notifications" | "sound";

const KEYS: Readonly<Record<SwitchName, string>> = { notifications: "holo.notifications", sound: "holo.sound" };
const FIELDS = { notifications: "notificationsEnabled", sound: "soundEnabled" } as const;
const listeners = new Set<() => void>();

/** As the player's profile says; for visitors as it was last on this device. */
export function isSwitchedOn(name: SwitchName): boolean {
  const player = currentSession()?.player ?? null;
  return player === null ? isKeptOn(name) : player[FIELDS[name]];
}

export function keepSwitch(name: SwitchName, on: boolean): void {
  try {
    localStorage.setItem(KEYS[name], on ? "on" : "off");
  } catch {
    // Storage is closed to this page: a player's profile keeps it all the same.
  }
  for (const listener of listeners) listener();
}

export function useSwitchedOn(name: SwitchName): boolean {
  return useSyncExternalStore(onSwitched, () => isSwitchedOn(name));
}

function onSwitched(listener: () => void): () => void {
  listeners.add(listener);
  const stop = onSessionChanged(listener);
  return () => {
    listeners.delete(listener);
    stop();
  };
}

function isKeptOn(name: SwitchName): boolean {
  try {
    return localStorage.getItem(KEYS[name]) !== "off";
  } catch {
    // As above: who keeps nothing has everything on.
    return true;
  }
}

onSessionChanged(() => {
  const player = currentSession()?.player ?? null;
  if (player === null) return;
  for (const name of ["notifications", "sound"] as const) {
    if (isKeptOn(name) !== player[FIELDS[name]]) keepSwitch(name, player[FIELDS[name]]);
  }
});
