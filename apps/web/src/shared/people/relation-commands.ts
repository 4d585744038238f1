import type { PlayerView } from "@holo/protocol/game/games.ts";
import { saveRelation } from "../../lib/session/relations.ts";
import { notify } from "../../ui/overlay/notify.ts";

export async function setMuted(player: PlayerView, muted: boolean): Promise<void> {
  const refusal = await saveRelation(player.id, { muted });
  if (refusal !== null) notify({ kind: "failed", title: refusal.title, text: refusal.text });
}

export async function setBlocked(player: PlayerView, blocked: boolean): Promise<void> {
  const refusal = await saveRelation(player.id, { blocked });
  if (refusal !== null) notify({ kind: "failed", title: refusal.title, text: refusal.text });
  else if (blocked)
    notify({ kind: "done", title: "Blocked", text: `You and ${player.username} are never paired again.` });
  else notify({ kind: "done", title: "Unblocked", text: `You and ${player.username} may be paired again.` });
}
