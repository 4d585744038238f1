import { useState } from "react";
import { notificationAccess, requestNotificationAccess } from "../../lib/preferences/browser-notification.ts";
import { useSwitchedOn } from "../../lib/preferences/switches.ts";
import { Button } from "../../ui/button/button.tsx";
import { Switch } from "../../ui/form/switch.tsx";
import { switchNotifications, switchSound } from "./switch-commands.ts";
import "./player-switches.css";

/** Chat and offers, and browser notifications while the page is hidden (ruling 29). */
export function NotificationSwitch() {
  const on = useSwitchedOn("notifications");
  const [permission, setPermission] = useState(notificationAccess);
  return (
    <div className="player-switch">
      <Switch
        label="Notifications"
        on={on}
        onChange={(next) => void switchNotifications(next).then(() => setPermission(notificationAccess()))}
      />
      {on && permission === "default" && (
        <Button kind="quiet" size="small" onClick={() => void requestNotificationAccess().then(setPermission)}>
          Allow them while this page is hidden
        </Button>
      )}
    </div>
  );
}

export function SoundSwitch() {
  const on = useSwitchedOn("sound");
  return <Switch label="Sound" on={on} onChange={(next) => void switchSound(next)} />;
}
