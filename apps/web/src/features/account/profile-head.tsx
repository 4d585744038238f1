import type { OwnPlayerView, ProfileView } from "@holo/protocol/views.ts";
import { Badge } from "../../ui/badge.tsx";
import { Disc } from "../../ui/disc.tsx";
import { NotificationSwitch, SoundSwitch } from "../../ui/player-switches.tsx";
import { Switch } from "../../ui/switch.tsx";
import { saveSwitch } from "../../ui/switch-acts.ts";
import "./profile-head.css";

interface ProfileHeadProps {
  readonly player: OwnPlayerView;
  readonly games: ProfileView["games"];
}

export function ProfileHead({ player, games }: ProfileHeadProps) {
  return (
    <div className="profile-head">
      <Disc seat={1} crowned size={72} />
      <div className="who">
        <h1 className="unbroken">{player.username}</h1>
        <p className="badges">
          <Badge kind="pending">{games.pending} pending</Badge>
          <Badge kind="active">{games.active} active</Badge>
          <Badge kind="done">{games.completed} completed</Badge>
        </p>
      </div>
      <div className="settings">
        <NotificationSwitch />
        <SoundSwitch />
        <Switch
          label="Takebacks"
          on={player.takebacksEnabled}
          onChange={(takebacksEnabled) => void saveSwitch({ takebacksEnabled })}
        />
      </div>
    </div>
  );
}
