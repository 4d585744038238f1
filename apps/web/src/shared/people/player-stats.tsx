import type { PlayerStatsView } from "@holo/protocol/accounts/players.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useEffect, useState } from "react";
import { callApi } from "../../lib/api/api.ts";
import { serverClock } from "../../lib/clock/server-clock.ts";
import { receiveRelation } from "../../lib/session/relations.ts";
import { Button, ButtonLink } from "../../ui/button/button.tsx";
import { Receipt, ReceiptRow } from "../../ui/data/receipt.tsx";
import { Table } from "../../ui/data/table.tsx";
import { Loading } from "../../ui/feedback/skeleton.tsx";
import { Dialog } from "../../ui/overlay/dialog.tsx";
import { formatRelativeTimeWithin } from "../../ui/text/relative-time.ts";
import { formatGame } from "../match/match.ts";
import { formatRating, Score } from "./opponent-line.tsx";
import { addOutcomes, countGames, formatWinRate } from "./outcomes.ts";
import { RecentResults } from "./recent-results.tsx";
import { RelationButtons } from "./relation-buttons.tsx";
import "./player-stats.css";

interface PlayerStatsProps {
  readonly player: PlayerView;
  readonly onClose: () => void;
  readonly onBlock: () => void;
  readonly onReport: (() => void) | null;
}

export function PlayerStats({ player, onClose, onBlock, onReport }: PlayerStatsProps) {
  const [tries, setTries] = useState(0);
  const [record, setRecord] = useState<PlayerStatsView | RefusalView | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks again
  useEffect(() => {
    let isWanted = true;
    void callApi("player", { params: { id: player.id } }).then((answer) => {
      if (!isWanted) return;
      setRecord(answer.ok ? answer.value : answer.refusal);
      if (answer.ok) receiveRelation(player.id, answer.value.relation);
    });
    return () => {
      isWanted = false;
    };
  }, [player.id, tries]);

  const hasRelation = record !== null && "relation" in record && record.relation !== null;
  return (
    <Dialog title="Player Record" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <p className="player-stats-name">
        <b className="unbroken" translate="no">
          {player.username}
        </b>
      </p>
      {record === null ? (
        <Loading text="Loading record..." onTryAgain={() => setTries(tries + 1)} />
      ) : "code" in record ? (
        <p className="muted">{record.text}</p>
      ) : (
        <Stats record={record} />
      )}
      {hasRelation && <RelationButtons player={player} onBlock={onBlock} onReport={onReport} />}
    </Dialog>
  );
}

const COLUMNS = [
  { text: "Game" },
  { text: "Won", figures: true },
  { text: "Lost", figures: true },
  { text: "Drawn", figures: true },
] as const;
const RECENT_MAX = 3;

/** The short form of a player's page. */
function Stats({ record }: { readonly record: PlayerStatsView }) {
  const { player, games, rated, score, aborts, recent } = record;
  const now = serverClock.now();
  const all = addOutcomes(Object.values(games));
  return (
    <div className="player-stats">
      <p className="meta">Registered {formatRelativeTimeWithin(record.sinceAt, now)}</p>
      {score !== null && (
        <p className="opponent-line">
          <Score score={score} />
        </p>
      )}
      <Table caption={`Games of ${player.username}`} columns={COLUMNS}>
        {Object.entries(games).map(([game, outcomes]) => (
          <tr key={game}>
            <th scope="row">
              {formatGame(game)}{" "}
              <small className="meta">
                {formatRating(rated.find((play) => play.game === game && play.pool === "staked")?.rating ?? null)}
              </small>
            </th>
            <td className="figures">{outcomes.wins}</td>
            <td className="figures">{outcomes.losses}</td>
            <td className="figures">{outcomes.draws}</td>
          </tr>
        ))}
      </Table>
      <Receipt>
        <ReceiptRow term="Games played">{countGames(all)}</ReceiptRow>
        <ReceiptRow term="Win rate">{formatWinRate(all)}</ReceiptRow>
        <ReceiptRow term="Cancelled or never started">{aborts}</ReceiptRow>
      </Receipt>
      {recent.length > 0 && (
        <>
          <h3>Recent results</h3>
          <RecentResults player={player} matches={recent.slice(0, RECENT_MAX)} />
        </>
      )}
      <ButtonLink href={`/player/${player.username}`} size="small">
        Full profile
      </ButtonLink>
    </div>
  );
}
