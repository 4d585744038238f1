import { Icon } from "../../ui/icon.tsx";
import type { Scene } from "./scene.ts";

/** The record of a game as other programs read it, so far or whole. */
export function RecordLink({ scene, wide = false }: { readonly scene: Scene; readonly wide?: boolean }) {
  const { gameId, game } = scene.shown.table;
  return (
    <a className={wide ? "button small wide" : "button small"} href={`/api/matches/${gameId}/record`} download>
      <Icon name="download" />
      {game === "chess" ? "Download PGN" : "Download PDN"}
    </a>
  );
}
