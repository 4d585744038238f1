import { assertNever } from "@holo/kernel/assert.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { type CommandFrame, visitorRefusalOf } from "@holo/protocol/socket/client-frames.ts";
import { COMMAND_LATE_AFTER_MS } from "@holo/protocol/socket/socket-terms.ts";
import { type Answer, type Games, refused, type SessionCheck, toFailure } from "../../game/game.ts";
import type { Matches } from "../../match/match.ts";
import type { Log } from "../../platform/log.ts";
import { LogScope, runInLogScope } from "../../platform/log-scope.ts";
import { runTraced, type Tracing } from "../../platform/tracing/tracing.ts";
import type { Connection } from "./connection.ts";
import { sendAnswer } from "./send.ts";
import type { SessionChecks } from "./session-checks.ts";
import type { TableWatches } from "./table-watches.ts";

type MoveFrame = Extract<CommandFrame, { readonly type: "move" }>;
type OtherCommandFrame = Exclude<CommandFrame, MoveFrame>;

export interface CommandsDeps {
  readonly games: Games;
  readonly matches: Matches;
  readonly log: Log;
  /** Null: commands are not traced. */
  readonly tracing: Tracing | null;
  readonly sessions: Pick<SessionChecks, "isLive" | "claimSession">;
  readonly tables: Pick<TableWatches, "resync">;
}

interface Commands {
  receive(connection: Connection, player: PlayerView, frame: CommandFrame): void;
}

export function createCommands(deps: CommandsDeps): Commands {
  const { games, log, tracing, sessions, tables } = deps;

  /** `end` is called once the command is answered. */
  function move(connection: Connection, player: PlayerView, frame: MoveFrame, end: (answer: Answer) => void): void {
    const { type: _, ...order } = frame;
    const { commandId, gameId, atVersion } = order;
    games.move({ ...order, player: player.id, lagMs: connection.lagMs() }, (answer) => {
      // A record that carries the commandId is the acknowledgement, if it was sent here.
      const wasSent = answer.type === "done" && !answer.isRepeat && connection.watched.has(gameId);
      if (!wasSent) sendAnswer(connection, commandId, answer);
      end(answer);
      if (answer.type === "refused" && answer.code === "stale_version") tables.resync(connection, gameId, atVersion);
    });
  }

  /**
   * Sockets notice a logout within seconds: too late for commands that take coins. Their session is
   * checked again in the transaction.
   */
  async function run(connection: Connection, player: PlayerView, frame: OtherCommandFrame): Promise<Answer> {
    if (!("sentAgoMs" in frame)) return await toAnswer(deps, player, frame, undefined);
    const claim = sessions.claimSession(connection);
    const refusal = visitorRefusalOf(frame);
    const takesSeat = frame.type === "create" || frame.type === "join";
    if (claim === null || (!takesSeat && !(await sessions.isLive(connection)))) return refused(refusal);
    return await toAnswer(deps, player, frame, { claim, refusal });
  }

  async function carryOut(
    connection: Connection,
    player: PlayerView,
    frame: OtherCommandFrame,
    end: (answer: Answer) => void,
  ): Promise<void> {
    const answer = await run(connection, player, frame).catch((err) => {
      log.error({ err, command: frame.type }, "a command failed");
      return toFailure(err);
    });
    sendAnswer(connection, frame.commandId, answer);
    end(answer);
  }

  return {
    receive(connection, player, frame) {
      const { requestId } = connection;
      const { commandId } = frame;
      const gameId = "gameId" in frame ? frame.gameId : null;
      const scope = new LogScope(gameId === null ? { requestId, commandId } : { requestId, commandId, gameId });
      const trace = tracing?.start(frame.type, gameId) ?? null;
      const end = (answer: Answer): void => {
        trace?.end(toOutcome(answer));
        scope.end();
      };
      runInLogScope(scope, () =>
        runTraced(trace, () => {
          if (frame.type === "move") move(connection, player, frame, end);
          else void carryOut(connection, player, frame, end);
        }),
      );
    },
  };
}

function toOutcome(answer: Answer): string {
  return answer.type === "refused" ? answer.code : answer.type;
}

function toAnswer(
  { games, matches }: Pick<CommandsDeps, "games" | "matches">,
  player: PlayerView,
  frame: OtherCommandFrame,
  session: SessionCheck | undefined,
): Promise<Answer> {
  const { commandId } = frame;
  const isLate = "sentAgoMs" in frame && frame.sentAgoMs > COMMAND_LATE_AFTER_MS;
  switch (frame.type) {
    case "create": {
      const { type: _, sentAgoMs: __, ...order } = frame;
      return matches.create({ ...order, player, session, isLate });
    }
    case "join":
      return matches.join(player, frame.gameId, commandId, { invitation: frame.invitation, session, isLate });
    case "cancel":
      return games.cancel(player.id, frame.gameId, commandId, frame.whileWaiting);
    case "resign":
      return games.resign(player.id, frame.gameId, commandId);
    case "offer_draw":
    case "request_takeback":
      return games.offer(frame.type, player.id, frame.gameId, commandId, undefined, {
        opponentMoves: frame.opponentMoves,
      });
    case "offer_rematch":
      return games.offer(frame.type, player.id, frame.gameId, commandId, frame.feeBps, { session, isLate });
    case "answer_draw":
    case "answer_takeback":
    case "answer_rematch":
      return games.answerOffer({ ...frame, player: player.id, session, isLate });
    case "chat":
      return games.chat({ player: player.id, commandId, gameId: frame.gameId, text: frame.text });
    default:
      return assertNever(frame);
  }
}
