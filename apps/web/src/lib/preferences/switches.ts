import { useSyncExternalStore } from "react";
import { currentSession, onSessionChanged } from "../session/session.ts";

/**
 * The two switches of ruling 29: notifications covers chat, offers and browser notifications, sound
 * covers every sound.
 */
type SwitchName = "notifications" | "sound";

const KEYS: Readonly<Record<SwitchName, string>> = { notifications: "holo.notifications", sound: "holo.sound" };
const FIELDS = { notifications: "notificationsEnabled", sound: "soundEnabled" } as const;
const listeners = new Set<() => void>();

/** From the player's profile; for visitors the last value on this device. */
export function isSwitchedOn(name: SwitchName): boolean {
  const player = currentSession()?.player ?? null;
  return player === null ? isSavedOn(name) : player[FIELDS[name]];
}

export function saveSwitchOnDevice(name: SwitchName, on: boolean): void {
  try {
    localStorage.setItem(KEYS[name], on ? "on" : "off");
  } catch {
    // Storage is blocked. A player's profile keeps the value anyway.
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

function isSavedOn(name: SwitchName): boolean {
  try {
    return localStorage.getItem(KEYS[name]) !== "off";
  } catch {
    // Storage is blocked: everything is on.
    return true;
  }
}

onSessionChanged(() => {
  const player = currentSession()?.player ?? null;
  if (player === null) return;
  for (const name of ["notifications", "sound"] as const) {
    if (isSavedOn(name) !== player[FIELDS[name]]) saveSwitchOnDevice(name, player[FIELDS[name]]);
  }
});
