import type { LadderView } from "@holo/protocol/accounts/players.ts";
import { gameOf } from "@holo/rules/registry.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { RANKED_GAMES_MIN } from "@holo/table/rating.ts";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { fetchApi } from "../../lib/api/api.ts";
import { PlayerName } from "../../shared/people/player-name.tsx";
import { Table } from "../../ui/data/table.tsx";
import { LoadFailure } from "../../ui/feedback/failure-note.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { classes } from "../../ui/text/classes.ts";
import { formatOwn } from "./ladder-text.ts";
import "./ladders.css";

interface LaddersProps {
  readonly game: GameType;
  readonly viewerId: string | null;
}

/** Ratings and the week's wins at one game. */
export function Ladders({ game, viewerId }: LaddersProps) {
  const { data, isError, refetch } = useQuery({
    queryKey: ["ladders", viewerId, game],
    queryFn: ({ signal }) => fetchApi("ladders", { query: { game } }, signal),
  });
  if (isError && data === undefined) {
    return <LoadFailure text="We couldn't load the ratings." onTryAgain={() => void refetch()} />;
  }
  const name = gameOf(game).name;
  return (
    <div className="ladders">
      <Ladder title={`Ratings, ${name}`} figure="Rating" unit="point" ladder={data?.ratings} viewerId={viewerId} />
      <Ladder title={`This week's wins, ${name}`} figure="Wins" unit="win" ladder={data?.wins} viewerId={viewerId} />
    </div>
  );
}

interface LadderProps {
  readonly title: string;
  readonly figure: string;
  readonly unit: string;
  readonly ladder: LadderView | undefined;
  readonly viewerId: string | null;
}

function Ladder({ title, figure, unit, ladder, viewerId }: LadderProps) {
  const headId = useId();
  return (
    <section aria-labelledby={headId}>
      <h2 id={headId}>{title}</h2>
      {ladder === undefined ? (
        <Skeleton height="160px" />
      ) : (
        <>
          <Places title={title} figure={figure} ladder={ladder} viewerId={viewerId} />
          {viewerId !== null && <p className="own-place muted">{formatOwn(ladder.own, unit)}</p>}
        </>
      )}
    </section>
  );
}

function Places({
  title,
  figure,
  ladder,
  viewerId,
}: Pick<LadderProps, "title" | "figure" | "viewerId"> & {
  readonly ladder: LadderView;
}) {
  const { places, own } = ladder;
  if (places.length === 0) return <p className="muted">Nobody has {RANKED_GAMES_MIN} games here yet.</p>;
  const isListed = places.some(({ player }) => player.id === viewerId);
  return (
    <div className="ladder">
      <Table caption={title} columns={[{ text: "Rank" }, { text: "Player" }, { text: figure, figures: true }]}>
        {places.map(({ rank, player, figure: value }) => (
          <tr key={player.id} className={classes(player.id === viewerId && "own")}>
            <td className="rank">{rank}</td>
            <th scope="row">
              <PlayerName player={player} gameId={null} />
              {player.id === viewerId && <span className="you"> You</span>}
            </th>
            <td className="figures">{value}</td>
          </tr>
        ))}
        {own?.rank != null && !isListed && (
          <tr className="own">
            <td className="rank">{own.rank}</td>
            <th scope="row">
              <span className="you">You</span>
            </th>
            <td className="figures">{own.figure}</td>
          </tr>
        )}
      </Table>
    </div>
  );
}
