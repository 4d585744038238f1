import { useSwitchedOn } from "../../lib/preferences/switches.ts";
import { Switch } from "../../ui/form/switch.tsx";
import { NoticePermission } from "./notice-permission.tsx";
import { switchNotifications, switchSound } from "./switch-commands.ts";
import "./player-switches.css";

/** Chat and offers, and browser notices while the page is hidden (ruling 29). */
export function NotificationSwitch() {
  const on = useSwitchedOn("notifications");
  return (
    <div className="player-switch">
      <Switch label="Notifications" on={on} onChange={(next) => void switchNotifications(next)} />
      <NoticePermission reason="Get told when an opponent joins or it's your turn, even in another app." />
    </div>
  );
}

export function SoundSwitch() {
  const on = useSwitchedOn("sound");
  return <Switch label="Sound" on={on} onChange={(next) => void switchSound(next)} />;
}
