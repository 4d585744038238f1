import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Icon, type IconName } from "./icon.tsx";
import { dismissNotice, type Notice, type NoticeKind, onNoticesChanged, shownNotices } from "./notify.ts";
import { Unbroken } from "./unbroken.tsx";
import "./toasts.css";

const ICONS: Readonly<Record<NoticeKind, IconName>> = {
  done: "check",
  failed: "warn",
  notice: "half",
  message: "chat",
};
const SHOWN_MS = 4_000;
const FAILURE_SHOWN_MS = 8_000;

/** Where toasts appear, once per page. It is moved to the top layer with each, so that one shows above an open dialog too. */
export function Toasts() {
  const notices = useSyncExternalStore(onNoticesChanged, shownNotices);
  const host = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    if (element.matches(":popover-open")) element.hidePopover();
    if (notices.length > 0) element.showPopover();
  }, [notices]);

  return (
    <div className="toasts" popover="manual" ref={host}>
      {notices.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </div>
  );
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
          <Unbroken text={notice.title} />
        </b>
        {notice.text !== undefined && (
          <p>
            <Unbroken text={notice.text} />
          </p>
        )}
      </div>
      <button type="button" aria-label="Dismiss" onClick={() => dismissNotice(notice.id)}>
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}
