/** `done`: success. `failed`: failure. `notice`: information. `message`: a chat message. */
export type NoticeKind = "done" | "failed" | "notice" | "message";

export interface Notice {
  readonly id: number;
  readonly title: string;
  readonly text?: string | undefined;
  readonly kind: NoticeKind;
  readonly stays?: true;
}

const SHOWN_MAX = 3;
const SHOWN_MS = 4_000;
const FAILURE_SHOWN_MS = 8_000;
/** As in the style sheets: up to this width a toast fills the screen's width. */
const PHONE = "(max-width: 719px)";

/** Kept here, because each dialog that opens renders the toasts again. */
interface Countdown {
  leftMs: number;
  startedAtMs: number;
  timer: ReturnType<typeof setTimeout> | null;
}

let notices: readonly Notice[] = [];
const countdowns = new Map<number, Countdown>();
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
  if (!notice.stays) {
    const leftMs = isFailure(notice) ? FAILURE_SHOWN_MS : SHOWN_MS;
    countdowns.set(lastId, { leftMs, startedAtMs: 0, timer: null });
    releaseNotice(lastId);
  }
  return lastId;
}

/** Whether it is shown for longer and read out at once. */
export function isFailure({ kind }: Pick<Notice, "kind">): boolean {
  return kind === "failed" || kind === "message";
}

export function holdNotice(id: number): void {
  const countdown = countdowns.get(id);
  if (countdown?.timer == null) return;
  clearTimeout(countdown.timer);
  countdown.timer = null;
  countdown.leftMs -= performance.now() - countdown.startedAtMs;
}

export function releaseNotice(id: number): void {
  const countdown = countdowns.get(id);
  if (countdown === undefined || countdown.timer !== null) return;
  countdown.startedAtMs = performance.now();
  countdown.timer = setTimeout(() => {
    countdown.timer = null;
    // Not seen yet: its player may be in the bank's app.
    if (globalThis.document?.visibilityState === "hidden") releaseNotice(id);
    else dismissNotice(id);
  }, countdown.leftMs);
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
  for (const id of countdowns.keys()) {
    if (notices.some((notice) => notice.id === id)) continue;
    holdNotice(id);
    countdowns.delete(id);
  }
  for (const listener of listeners) listener();
}
