import type { FairPlayCaseView } from "@holo/protocol/admin/fair-play-cases.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { PlayerLink } from "../players/player-link.tsx";
import { formatLinks } from "./case-texts.ts";

/** Accounts that share means with the player. It holds nothing by itself. */
export function CaseCluster({ cluster }: Pick<FairPlayCaseView, "cluster">) {
  return (
    <Panel label="Linked accounts">
      <h2>Linked accounts</h2>
      <p className="small muted">Families and friends share phones and cards, too. A link alone holds nothing.</p>
      {cluster.length === 0 ? (
        <p className="small">None.</p>
      ) : (
        <ul className="case-cluster">
          {cluster.map(({ player, strength, kinds }) => (
            <li key={player.id}>
              <PlayerLink player={player} />
              <span className="small">
                {kinds.length === 0 ? "through another account" : `Same ${formatLinks(kinds)}`}
              </span>
              <span className="meta">{Math.round(100 * strength)}%</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
