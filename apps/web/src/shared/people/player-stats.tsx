import type { OutcomesView, PlayerStatsView } from "@holo/protocol/accounts/players.ts";
import type { MatchView, PlayerView } from "@holo/protocol/game/games.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { callApi } from "../../lib/api/api.ts";
import { serverClock } from "../../lib/clock/server-clock.ts";
import { receiveRelation } from "../../lib/session/relations.ts";
import { Button } from "../../ui/button/button.tsx";
import { Receipt, ReceiptRow } from "../../ui/data/receipt.tsx";
import { Table } from "../../ui/data/table.tsx";
import { Loading } from "../../ui/feedback/skeleton.tsx";
import { Dialog } from "../../ui/overlay/dialog.tsx";
import { formatRelativeTimeWithin } from "../../ui/text/relative-time.ts";
import { formatGame, formatResult, formatStake, seatOf, toResult } from "../match/match.ts";
import { addOutcomes, countGames, formatWinRate } from "./outcomes.ts";
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

function Stats({ record }: { readonly record: PlayerStatsView }) {
  const now = serverClock.now();
  const all = addOutcomes(Object.values(record.games));
  return (
    <div className="player-stats">
      <p className="meta">Registered {formatRelativeTimeWithin(record.sinceAt, now)}</p>
      <Table caption={`Games of ${record.player.username}`} columns={COLUMNS}>
        {Object.entries(record.games).map(([game, outcomes]) => (
          <OutcomesRow key={game} name={formatGame(game)} outcomes={outcomes} />
        ))}
      </Table>
      <Receipt>
        <ReceiptRow term="Games played">{countGames(all)}</ReceiptRow>
        <ReceiptRow term="Win rate">{formatWinRate(all)}</ReceiptRow>
        <ReceiptRow term="Cancelled or never started">{record.aborts}</ReceiptRow>
      </Receipt>
      {record.recent.length > 0 && (
        <>
          <h3>Recent results</h3>
          <ul>
            {record.recent.map((match) => (
              <RecentResult key={match.id} match={match} player={record.player} now={now} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function OutcomesRow({ name, outcomes }: { readonly name: string; readonly outcomes: OutcomesView }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="figures">{outcomes.wins}</td>
      <td className="figures">{outcomes.losses}</td>
      <td className="figures">{outcomes.draws}</td>
    </tr>
  );
}

interface RecentResultProps {
  readonly match: MatchView;
  readonly player: PlayerView;
  readonly now: number;
}

function RecentResult({ match, player, now }: RecentResultProps) {
  const seat = seatOf(match, player.id);
  const result = seat === null ? null : toResult(match, seat);
  const other = seat === 1 ? match.black : match.white;
  if (result === null || other === null) return null;
  return (
    <li>
      <Link href={`/game/${match.id}`}>
        <b className={result.type}>{formatResult(result.type, match.stake)}</b>
        <span className="against">
          against{" "}
          <span className="unbroken" translate="no">
            {other.username}
          </span>
        </span>
        <span className="meta">
          {formatGame(match.game)}, {formatStake(match.stake)}, {formatRelativeTimeWithin(match.updatedAt, now)}
        </span>
      </Link>
    </li>
  );
}
