import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import { MATCHES_PER_PAGE } from "@holo/protocol/lobby/match-list-terms.ts";
import { Link } from "wouter";
import { MiniBoard } from "../../shared/board/picture/mini-board.tsx";
import { formatMode, parseBoard } from "../../shared/match/match.ts";
import { useMatchList } from "../../shared/match/use-match-list.ts";
import "./live-boards.css";

const LIVE = { ...EVERY_MATCH, status: "active" } as const;
const BOARDS_MAX = 4;

/** Games that a visitor can watch. */
export default function LiveBoards() {
  const { list } = useMatchList(LIVE, MATCHES_PER_PAGE, null, true);
  const matches = list?.matches.slice(0, BOARDS_MAX) ?? [];
  if (matches.length === 0) return null;
  return (
    <section className="live-boards" aria-labelledby="live-boards">
      <h2 id="live-boards">Live now</h2>
      <ul>
        {matches.map(({ id, game, limitMinutes, board, white, black }) => (
          <li key={id}>
            <Link href={`/game/${id}`}>
              <MiniBoard game={game} pieces={parseBoard(game, board)} />
              <span>
                <b translate="no">{white.username}</b> <span className="meta">vs</span>{" "}
                <b translate="no">{black?.username}</b>
              </span>
              <span className="meta">{formatMode(game, limitMinutes)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
