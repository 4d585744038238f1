import { useSyncExternalStore } from "react";

export const BOARD_THEMES = ["forest", "kola"] as const;
export type BoardTheme = (typeof BOARD_THEMES)[number];

/** How somebody plays on this device. */
export interface BoardSettings {
  /** A move may be chosen while the opponent thinks. */
  readonly premove: boolean;
  /** A move is shown first, and played once it is confirmed. */
  readonly moveConfirmation: boolean;
  /** Otherwise a pawn becomes a queen (ruling 20). */
  readonly promotionChoice: boolean;
  readonly theme: BoardTheme;
  /** null: as the screen has room, which is on the frame of a desktop and not on a phone. */
  readonly coordinates: boolean | null;
  /** A field that takes moves as text: c3-d4, Nf3. */
  readonly moveField: boolean;
}

export const DEFAULT_BOARD_SETTINGS: BoardSettings = {
  premove: false,
  moveConfirmation: false,
  promotionChoice: false,
  theme: "forest",
  coordinates: null,
  moveField: false,
};

/** `app/theme-early.js` reads the same key before the first paint. */
const KEY = "holo.board";

/** The settings as they were kept. What is missing, or of another kind than today's, is the default. */
export function parseBoardSettings(text: string | null): BoardSettings {
  const kept = readObject(text);
  const isOn = (name: keyof BoardSettings) => kept[name] === true;
  return {
    premove: isOn("premove"),
    moveConfirmation: isOn("moveConfirmation"),
    promotionChoice: isOn("promotionChoice"),
    theme: BOARD_THEMES.find((theme) => theme === kept.theme) ?? DEFAULT_BOARD_SETTINGS.theme,
    coordinates: typeof kept.coordinates === "boolean" ? kept.coordinates : null,
    moveField: isOn("moveField"),
  };
}

function readObject(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(text ?? "{}");
    return typeof kept === "object" && kept !== null ? { ...kept } : {};
  } catch {
    // Not ours, or cut off: the defaults stand.
    return {};
  }
}

/** Where settings are kept, and who draws by them. */
export interface BoardSettingsWorld {
  load(): string | null;
  save(text: string): void;
  show(theme: BoardTheme): void;
}

export interface BoardSettingsStore {
  current(): BoardSettings;
  save(change: Partial<BoardSettings>): void;
  /** Reads again what is kept: another page of this browser has changed it. */
  reload(): void;
  subscribe(listener: () => void): () => void;
}

export function createBoardSettings(world: BoardSettingsWorld): BoardSettingsStore {
  const listeners = new Set<() => void>();
  let settings = parseBoardSettings(world.load());

  function use(next: BoardSettings): void {
    settings = next;
    world.show(next.theme);
    for (const listener of listeners) listener();
  }

  return {
    current: () => settings,
    save(change) {
      use({ ...settings, ...change });
      world.save(JSON.stringify(settings));
    },
    reload: () => use(parseBoardSettings(world.load())),
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
    load: readKept,
    save: keep,
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

function readKept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // Storage is closed to this page: the game can be played all the same.
    return null;
  }
}

function keep(text: string): void {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // As above: the choice holds as long as the page is open.
  }
}

export function useBoardSettings(): BoardSettings {
  const { subscribe, current } = boardSettings();
  return useSyncExternalStore(subscribe, current);
}

/** Changes the whole page at once, and keeps the choice on this device. */
export function saveBoardSettings(change: Partial<BoardSettings>): void {
  boardSettings().save(change);
}
