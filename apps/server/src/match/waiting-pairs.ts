import { type GameId, type PlayerId, toCommandId } from "@holo/kernel/ids.ts";
import { SECOND_MS, toInstant } from "@holo/kernel/instant.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import type { Games } from "../game/game.ts";
import type { Log } from "../platform/log.ts";
import { randomUUID } from "../platform/runtime.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import { findPairs, isWithinBands, type WaitingSeek } from "./rating-band.ts";
import type { Seeks } from "./seeks.ts";
import type { WaitingGames } from "./waiting-games.ts";

interface WaitingPairsDeps {
  readonly games: Pick<Games, "join" | "isClosing">;
  readonly waitingGames: WaitingGames;
  readonly seeks: Seeks;
  readonly presence: {
    readonly isOnline: (playerId: PlayerId) => boolean;
    /** To this server. */
    readonly listConnected: () => readonly PlayerId[];
  };
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
}

interface WaitingMatch extends WaitingSeek {
  readonly match: MatchView;
}

const PAIR_EVERY_MS = SECOND_MS;

/**
 * Pairs players who both wait, once a band has widened: the one who waits less joins the game of
 * the other. Their server does it; the transaction of the join decides, as for any seeker.
 */
export function openWaitingPairs({ games, waitingGames, seeks, presence, time, wheel, log }: WaitingPairsDeps) {
  /** Pairs that were refused, such as after a block: for as long as the younger game waits. */
  const refused = new Map<GameId, Set<GameId>>();
  waitingGames.onChange(({ id, status }) => {
    if (status !== "pending") refused.delete(id);
  });
  let isStopped = false;
  let cancel = schedule();

  function schedule(): () => void {
    return wheel.schedule(time.monotonicMs() + PAIR_EVERY_MS, run);
  }

  async function pairWaiting(waiting: readonly MatchView[]): Promise<void> {
    const online = waiting.filter(({ white }) => presence.isOnline(white.id));
    await seeks.learn(online.map(({ id }) => id));
    const known = online.flatMap((match): readonly WaitingMatch[] => {
      const seek = seeks.find(match.id);
      return seek === undefined ? [] : [{ ...seek, sinceAt: toInstant(match.createdAt), match }];
    });
    // Without a band they were compared when the later one came.
    if (!known.some(({ nearRating }) => nearRating)) return;
    const at = time.now();
    const here = new Set(presence.listConnected());
    const pairs = findPairs(
      known,
      (older, younger) =>
        isWithinBands(older, younger, at) && refused.get(younger.match.id)?.has(older.match.id) !== true,
    );
    await Promise.all(
      pairs.map(([older, younger]) => (here.has(younger.match.white.id) ? join(older, younger) : null)),
    );
  }

  async function join({ match: older }: WaitingMatch, { match: younger }: WaitingMatch): Promise<void> {
    const answer = await games.join({
      player: younger.white.id,
      view: younger.white,
      gameId: older.id,
      commandId: toCommandId(randomUUID()),
      pairing: "matchmaking",
      leaves: younger.id,
    });
    if (answer.type !== "refused") return;
    refused.set(younger.id, (refused.get(younger.id) ?? new Set()).add(older.id));
  }

  function run(): void {
    const groups = games.isClosing ? [] : waitingGames.listGroups();
    Promise.all(groups.map(pairWaiting))
      .catch((err) => log.error({ err }, "players who wait could not be paired"))
      .finally(() => {
        if (!isStopped) cancel = schedule();
      });
  }

  return {
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
