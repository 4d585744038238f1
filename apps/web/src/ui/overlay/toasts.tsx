import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { Icon, type IconName } from "../icon/icon.tsx";
import { NoWrapText } from "../text/no-wrap-text.tsx";
import { onModalsChanged, topModal } from "./modals.ts";
import { dismissNotice, type Notice, type NoticeKind, onNoticesChanged, shownNotices } from "./notify.ts";
import "./toasts.css";

const ICONS: Readonly<Record<NoticeKind, IconName>> = {
  done: "check",
  failed: "warn",
  notice: "half",
  message: "chat",
};
const SHOWN_MS = 4_000;
const FAILURE_SHOWN_MS = 8_000;

/**
 * The toast region, once per page. Inside an open modal dialog it is rendered into that dialog:
 * outside, toasts would be inert.
 */
export function Toasts() {
  const notices = useSyncExternalStore(onNoticesChanged, shownNotices);
  const modal = useSyncExternalStore(onModalsChanged, topModal);
  const host = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another dialog, another element
  useEffect(() => {
    const element = host.current;
    // A closed dialog takes its region along; render it again elsewhere.
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
  const [held, setHeld] = useState(false);
  const failed = notice.kind === "failed" || notice.kind === "message";

  useEffect(() => {
    if (held || notice.stays) return;
    const timer = setTimeout(() => dismissNotice(notice.id), failed ? FAILURE_SHOWN_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [held, failed, notice.id, notice.stays]);

  return (
    <div
      className={`toast ${notice.kind}`}
      role={failed ? "alert" : "status"}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <Icon name={ICONS[notice.kind]} />
      <div>
        <b>
          <NoWrapText text={notice.title} />
        </b>
        {notice.text !== undefined && (
          <p>
            <NoWrapText text={notice.text} />
          </p>
        )}
      </div>
      <button
        type="button"
        aria-label="Dismiss"
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
        onClick={() => dismissNotice(notice.id)}
      >
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}
