/** `done` went well, `failed` did not, `notice` is worth knowing, `message` is about what somebody wrote. */
export type NoticeKind = "done" | "failed" | "notice" | "message";

export interface Notice {
  readonly id: number;
  readonly title: string;
  readonly text?: string | undefined;
  readonly kind: NoticeKind;
  /** It leaves only when it is dismissed or another takes its place. */
  readonly stays?: true;
}

const SHOWN_MAX = 3;
/** As in the style sheets: up to here a toast takes the screen's whole width. */
const PHONE = "(max-width: 719px)";

let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/**
 * Shows a toast; on a phone it takes the place of any other. The same words again take the place of the earlier ones, so that a repeat does not pile up. Returns what
 * `dismissNotice` takes, for words that may stop being true before they leave by themselves.
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
