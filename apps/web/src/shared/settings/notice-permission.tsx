import { useState } from "react";
import { notificationAccess, requestNotificationAccess } from "../../lib/preferences/browser-notification.ts";
import { useSwitchedOn } from "../../lib/preferences/switches.ts";
import { Button } from "../../ui/button/button.tsx";
import "./notice-permission.css";

export const JOINED_NOTICE_REASON =
  "Get told as soon as someone joins, even in another app: you have one minute for your first move.";

interface NoticePermissionProps {
  readonly reason: string;
}

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
            Allow notifications
          </Button>
        </>
      )}
      {access === "insecure" && (
        <p className="meta">Notifications need a secure address (https), so keep this page open.</p>
      )}
      {access === "denied" && (
        <p className="meta">Notifications are off in your browser. Allow them for Holo Arena in its site settings.</p>
      )}
      {access === "unsupported" && (
        <p className="meta">
          This browser can't show notifications, so keep this page open. On an iPhone or iPad, add Holo Arena to the
          home screen and open it there.
        </p>
      )}
    </div>
  );
}
