import type { OwnPlayerView, ProfileView } from "@holo/protocol/views.ts";
import { saveSettings } from "../../lib/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Disc } from "../../ui/disc.tsx";
import { notify } from "../../ui/notify.ts";
import { Switch } from "../../ui/switch.tsx";
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
        <Switch
          label="Notifications"
          on={player.notificationsEnabled}
          onChange={(notificationsEnabled) => void save({ notificationsEnabled })}
        />
        <Switch label="Sound" on={player.soundEnabled} onChange={(soundEnabled) => void save({ soundEnabled })} />
      </div>
    </div>
  );
}

async function save(change: Parameters<typeof saveSettings>[0]): Promise<void> {
  const answer = await saveSettings(change);
  if (!answer.ok) notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
}
