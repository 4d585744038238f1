import { useEffect, useRef, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { Icon, type IconName } from "../icon/icon.tsx";
import { NoHyphenBreakText } from "../text/no-hyphen-break-text.tsx";
import { onModalsChanged, topModal } from "./modals.ts";
import {
  dismissNotice,
  holdNotice,
  isFailure,
  type Notice,
  type NoticeKind,
  onNoticesChanged,
  releaseNotice,
  shownNotices,
} from "./notify.ts";
import "./toasts.css";

const ICONS: Readonly<Record<NoticeKind, IconName>> = {
  done: "check",
  failed: "warn",
  notice: "half",
  message: "chat",
};

/**
 * The toast region, once per page. It is rendered into an open modal dialog: outside, toasts would
 * be inert.
 */
export function Toasts() {
  const notices = useSyncExternalStore(onNoticesChanged, shownNotices, shownNotices);
  const modal = useSyncExternalStore(onModalsChanged, topModal, topModal);
  const host = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another dialog, another element
  useEffect(() => {
    const element = host.current;
    // A closed dialog removes its region; render it again elsewhere.
    if (element?.isConnected !== true) return;
    if (element.matches(":popover-open")) element.hidePopover();
    if (notices.length > 0) element.showPopover();
  }, [notices, modal]);

  const toasts = (
    <div className="toasts" popover="manual" ref={host}>
      {notices.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </div>
  );
  return modal === null ? toasts : createPortal(toasts, modal);
}

function Toast({ notice }: { readonly notice: Notice }) {
  const holders = useRef(new Set<"pointer" | "focus">());
  // A toast that moves to another dialog loses pointer and focus without an event.
  useEffect(() => () => releaseNotice(notice.id), [notice.id]);

  function hold(by: "pointer" | "focus"): void {
    holders.current.add(by);
    holdNotice(notice.id);
  }

  /** Only the last one releases: a pointer that crosses a focused toast does not. */
  function release(by: "pointer" | "focus"): void {
    holders.current.delete(by);
    if (holders.current.size === 0) releaseNotice(notice.id);
  }

  return (
    <div
      className={`toast ${notice.kind}`}
      role={isFailure(notice) ? "alert" : "status"}
      onPointerEnter={() => hold("pointer")}
      onPointerLeave={() => release("pointer")}
    >
      <Icon name={ICONS[notice.kind]} />
      <div>
        <b>
          <NoHyphenBreakText text={notice.title} />
        </b>
        {notice.text !== undefined && (
          <p>
            <NoHyphenBreakText text={notice.text} />
          </p>
        )}
      </div>
      <button
        type="button"
        aria-label="Dismiss"
        onFocus={() => hold("focus")}
        onBlur={() => release("focus")}
        onClick={() => dismissNotice(notice.id)}
      >
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}
