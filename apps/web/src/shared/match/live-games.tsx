import type { GameId } from "@holo/kernel/ids.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import { MATCHES_PER_PAGE } from "@holo/protocol/lobby/match-list-terms.ts";
import { STAKES } from "@holo/table/stakes.ts";
import { memo, useEffect, useState } from "react";
import { Link } from "wouter";
import { MiniBoard } from "../board/picture/mini-board.tsx";
import { formatMode, formatStake, parseBoard } from "./match.ts";
import { useMatchList } from "./use-match-list.ts";
import "./live-games.css";

const SHOWN_MAX = 4;

/** Up to four games that are played now, the highest stakes first, kept current by the server. */
export function useLiveGames(except?: GameId): readonly MatchView[] {
  const [search, setSearch] = useState({ step: 0, isOver: false });
  const filter = { ...EVERY_MATCH, status: "active", stakeMin: STAKES[search.step] ?? 0 } as const;
  const { list, isOld } = useMatchList(filter, MATCHES_PER_PAGE, null, true);

  useEffect(() => {
    if (list === undefined || isOld || search.isOver) return;
    const { step } = search;
    const isShort = list.matches.length < SHOWN_MAX;
    // A list has the newest games: of many, those with higher stakes are asked for.
    if (isShort && step > 0) setSearch({ step: step - 1, isOver: true });
    else if (list.hasMore && step + 1 < STAKES.length) setSearch({ step: step + 1, isOver: false });
  }, [list, isOld, search]);

  const others = list?.matches.filter(({ id }) => id !== except) ?? [];
  return sortByStake(others).slice(0, SHOWN_MAX);
}

/** Of the same stake in the given order. */
export function sortByStake(matches: readonly MatchView[]): readonly MatchView[] {
  return matches.toSorted((a, b) => b.stake - a.stake);
}

export function LiveGames({ games }: { readonly games: readonly MatchView[] }) {
  return (
    <ul className="live-games">
      {games.map((match) => (
        <li key={match.id}>
          <LiveGame match={match} />
        </li>
      ))}
    </ul>
  );
}

/** Twice a second some games of a list have moved, and only those are drawn again. */
const LiveGame = memo(function LiveGame({ match }: { readonly match: MatchView }) {
  const { id, game, limitMinutes, stake, board, white, black } = match;
  return (
    <Link href={`/game/${id}`}>
      <MiniBoard game={game} pieces={parseBoard(game, board)} />
      <span>
        <b translate="no">{white.username}</b> <span className="meta">vs</span> <b translate="no">{black?.username}</b>
      </span>
      <span className="meta">
        {formatMode(game, limitMinutes)}, <span className="unbroken">{stake === 0 ? "free" : formatStake(stake)}</span>
      </span>
    </Link>
  );
});
