import { useSyncExternalStore } from "react";

/** The first of each is the default. The first two boards are in every page. */
export const BOARD_THEMES = ["forest", "kola", "adire", "zuma", "sahel", "zobo"] as const;
export type BoardTheme = (typeof BOARD_THEMES)[number];

export const PIECE_SETS = ["classic", "plain", "token"] as const;
export type PieceSet = (typeof PIECE_SETS)[number];

export const MOVE_SPEEDS = ["normal", "off", "fast", "slow"] as const;
export type MoveSpeed = (typeof MOVE_SPEEDS)[number];

export interface BoardSettings {
  readonly premove: boolean;
  /** A move is drawn first and sent when it is confirmed. */
  readonly moveConfirmation: boolean;
  /** Otherwise a pawn becomes a queen (ruling 20). */
  readonly promotionChoice: boolean;
  readonly theme: BoardTheme;
  readonly pieces: PieceSet;
  /** How fast pieces move on the board. */
  readonly speed: MoveSpeed;
  readonly coordinates: boolean;
  /** Shows a field for moves as text: c3-d4, Nf3. */
  readonly moveField: boolean;
  /** A short vibration when a piece is picked up by touch. */
  readonly vibration: boolean;
}

export const DEFAULT_BOARD_SETTINGS: BoardSettings = {
  premove: false,
  moveConfirmation: false,
  promotionChoice: false,
  theme: "forest",
  pieces: "classic",
  speed: "normal",
  coordinates: true,
  moveField: false,
  vibration: true,
};

/** `app/theme-early.js` reads the same key before the first paint. */
const KEY = "holo.board";

export function parseBoardSettings(text: string | null): BoardSettings {
  const kept = readObject(text);
  const isOn = (name: keyof BoardSettings) => kept[name] === true;
  return {
    premove: isOn("premove"),
    moveConfirmation: isOn("moveConfirmation"),
    promotionChoice: isOn("promotionChoice"),
    theme: findKnown(BOARD_THEMES, kept.theme),
    pieces: findKnown(PIECE_SETS, kept.pieces),
    speed: findKnown(MOVE_SPEEDS, kept.speed),
    coordinates: kept.coordinates !== false,
    moveField: isOn("moveField"),
    vibration: kept.vibration !== false,
  };
}

function findKnown<Value>(values: readonly [Value, ...Value[]], kept: unknown): Value {
  return values.find((value) => value === kept) ?? values[0];
}

function readObject(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(text ?? "{}");
    return typeof kept === "object" && kept !== null ? { ...kept } : {};
  } catch {
    // Not valid JSON: the defaults apply.
    return {};
  }
}

interface BoardSettingsDeps {
  load(): string | null;
  save(text: string): void;
  show(theme: BoardTheme): void;
}

interface BoardSettingsStore {
  current(): BoardSettings;
  save(change: Partial<BoardSettings>): void;
  reload(): void;
  subscribe(listener: () => void): () => void;
}

export function createBoardSettings(deps: BoardSettingsDeps): BoardSettingsStore {
  const listeners = new Set<() => void>();
  let settings = parseBoardSettings(deps.load());

  function apply(next: BoardSettings): void {
    settings = next;
    deps.show(next.theme);
    for (const listener of listeners) listener();
  }

  return {
    current: () => settings,
    save(change) {
      apply({ ...settings, ...change });
      deps.save(JSON.stringify(settings));
    },
    reload: () => apply(parseBoardSettings(deps.load())),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

let store: BoardSettingsStore | null = null;

function boardSettings(): BoardSettingsStore {
  if (store !== null) return store;
  const opened = createBoardSettings({
    load: loadSaved,
    save: saveText,
    show(theme) {
      document.documentElement.dataset.board = theme;
    },
  });
  addEventListener("storage", ({ key }) => {
    if (key === KEY) opened.reload();
  });
  store = opened;
  return opened;
}

function loadSaved(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // Storage is blocked: the defaults apply.
    return null;
  }
}

function saveText(text: string): void {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
}

export function currentBoardSettings(): BoardSettings {
  return boardSettings().current();
}

export function useBoardSettings(): BoardSettings {
  const { subscribe, current } = boardSettings();
  return useSyncExternalStore(subscribe, current, current);
}

export function saveBoardSettings(change: Partial<BoardSettings>): void {
  boardSettings().save(change);
}
