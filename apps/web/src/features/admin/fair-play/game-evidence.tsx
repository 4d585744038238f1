import { toWinChance } from "@holo/engine/engine.ts";
import type { FairPlayGameView } from "@holo/protocol/admin/fair-play-cases.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import type { Square } from "@holo/rules/rules.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { loadRules, type Rules } from "../../../shared/board/game-rules.ts";
import { MiniBoard } from "../../../shared/board/picture/mini-board.tsx";
import { ChanceGraph } from "../../../shared/evaluation/chance-graph.tsx";
import { formatMoveNumber } from "../../../shared/evaluation/graph.ts";
import { type ReviewedGame, readGame } from "../../../shared/evaluation/reviewed-game.ts";
import { useEvaluations } from "../../../shared/evaluation/use-evaluations.ts";
import { Loaded } from "../loaded.tsx";
import { ThinkTimeBars } from "./think-time-bars.tsx";
import { formatThinkTime } from "./think-times.ts";

const SQUARES = 64;

type GameEvidenceProps = Pick<FairPlayGameView, "match" | "evaluation">;

interface ReadGame {
  readonly rules: Rules;
  readonly reviewed: ReviewedGame;
}

/**
 * A game's positions, think times and chances. Moves that the server has not judged yet are judged
 * on this device.
 */
export default function GameEvidence({ match, evaluation }: GameEvidenceProps) {
  const { id, game } = match;
  const query = useQuery({
    queryKey: ["game-evidence", id],
    queryFn: async ({ signal }): Promise<ReadGame> => {
      const [rules, log] = await Promise.all([loadRules(game), fetchApi("log", { params: { id } }, signal)]);
      return { rules, reviewed: await readGame(rules, log, pause) };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Loaded query={query} loading="Loading the game..." failed="We couldn't load this game.">
      {(read) =>
        read.reviewed.moves.length === 0 ? (
          <p className="small muted">No move was played.</p>
        ) : evaluation !== null && evaluation.scores.length > read.reviewed.moves.length ? (
          <Evidence
            match={match}
            read={read}
            chances={evaluation.scores.map((score) => 100 * toWinChance(score, game))}
            judge={evaluation.engine}
            failed={null}
          />
        ) : (
          <JudgedHere match={match} read={read} />
        )
      }
    </Loaded>
  );
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

interface JudgedHereProps {
  readonly match: MatchView;
  readonly read: ReadGame;
}

function JudgedHere({ match, read }: JudgedHereProps) {
  const { evaluations, hasFailed, retry } = useEvaluations(match.id, read);
  const chances = evaluations.map(({ whiteChance }) => whiteChance);
  return <Evidence match={match} read={read} chances={chances} judge={null} failed={hasFailed ? retry : null} />;
}

interface EvidenceProps extends JudgedHereProps {
  /** White's, in percent. */
  readonly chances: readonly number[];
  /** The server's engine; null: judged on this device. */
  readonly judge: string | null;
  readonly failed: (() => void) | null;
}

function Evidence({ match, read: { rules, reviewed }, chances, judge, failed }: EvidenceProps) {
  const { moves, positions } = reviewed;
  const [ply, setPly] = useState(moves.length);
  const pieces = useMemo(
    () => Array.from({ length: SQUARES }, (_, square) => rules.pieceAt(positions[ply], square as Square)),
    [rules, positions, ply],
  );
  const move = moves[ply - 1];
  return (
    <div className="game-evidence">
      <div className="shown-position">
        <MiniBoard game={match.game} pieces={pieces} />
        <p className="small" role="status">
          {move === undefined ? "The start" : `${formatMoveNumber(ply)} ${move.text}`}
          {move !== undefined && <span className="meta"> after {formatThinkTime(move.chargedMs)}</span>}
        </p>
      </div>
      <ChanceGraph whose="White's" moves={moves} chances={chances} ply={ply} onShow={setPly} failed={failed}>
        <h3 className="think-times-head">Time for each move</h3>
        <ThinkTimeBars moves={moves} white={match.white.username} black={match.black?.username ?? ""} />
        <p className="meta">Judged by {judge ?? "this device"}.</p>
      </ChanceGraph>
    </div>
  );
}
