import { useState } from "react";
import { askForNotices, noticePermission } from "../lib/browser-notice.ts";
import { useSwitchedOn } from "../lib/switches.ts";
import { Button } from "./button.tsx";
import { Switch } from "./switch.tsx";
import { switchNotifications, switchSound } from "./switch-acts.ts";
import "./player-switches.css";

/** Chat, offers, and notices of the browser while the page is out of sight (ruling 29). */
export function NotificationSwitch() {
  const on = useSwitchedOn("notifications");
  const [permission, setPermission] = useState(noticePermission);
  return (
    <div className="player-switch">
      <Switch
        label="Notifications"
        on={on}
        onChange={(next) => void switchNotifications(next).then(() => setPermission(noticePermission()))}
      />
      {on && permission === "default" && (
        <Button kind="quiet" size="small" onClick={() => void askForNotices().then(setPermission)}>
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
