import { useState } from "react";
import { notificationAccess, requestNotificationAccess } from "../../lib/preferences/browser-notification.ts";
import { useSwitchedOn } from "../../lib/preferences/switches.ts";
import { Button } from "../../ui/button/button.tsx";
import "./notice-permission.css";

/** Beside a game that waits. */
export const JOINED_NOTICE_REASON =
  "Learn at once when somebody joins, also while you use another app: you then have a minute for your first move.";

interface NoticePermissionProps {
  /** What the player would miss, before the browser is asked. */
  readonly reason: string;
}

/** Says whether this device shows notices, and asks for the permission after a press. */
export function NoticePermission({ reason }: NoticePermissionProps) {
  const on = useSwitchedOn("notifications");
  const [access, setAccess] = useState(notificationAccess);
  if (!on || access === "granted") return null;
  return (
    <div className="notice-permission">
      {access === "default" && (
        <>
          <p className="meta">{reason}</p>
          <Button size="small" onClick={() => void requestNotificationAccess().then(setAccess)}>
            Allow notices
          </Button>
        </>
      )}
      {access === "denied" && (
        <p className="meta">Your browser blocks notices from Holo Arena. You can allow them in its site settings.</p>
      )}
      {access === "unsupported" && (
        <p className="meta">
          This browser cannot show notices, so keep this page in view. On an iPhone or iPad, add Holo Arena to the home
          screen and open it there.
        </p>
      )}
    </div>
  );
}
