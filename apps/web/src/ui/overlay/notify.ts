/** `done`: success. `failed`: failure. `notice`: information. `message`: a chat message. */
export type NoticeKind = "done" | "failed" | "notice" | "message";

export interface Notice {
  readonly id: number;
  readonly title: string;
  readonly text?: string | undefined;
  readonly kind: NoticeKind;
  /** Stays until it is dismissed or replaced. */
  readonly stays?: true;
}

const SHOWN_MAX = 3;
/** As in the style sheets: up to this width a toast fills the screen's width. */
const PHONE = "(max-width: 719px)";

let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/**
 * Shows a toast. It replaces a toast with the same text, and any other on a phone. Returns the id
 * for `dismissNotice`.
 */
export function notify(notice: Omit<Notice, "id">): number {
  lastId += 1;
  const others = notices.filter((shown) => shown.title !== notice.title || shown.text !== notice.text);
  publish([...others, { ...notice, id: lastId }].slice(isPhone() ? -1 : -SHOWN_MAX));
  return lastId;
}

export function dismissNotice(id: number): void {
  publish(notices.filter((notice) => notice.id !== id));
}

export function shownNotices(): readonly Notice[] {
  return notices;
}

export function onNoticesChanged(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function isPhone(): boolean {
  return globalThis.matchMedia?.(PHONE).matches ?? false;
}

function publish(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}
