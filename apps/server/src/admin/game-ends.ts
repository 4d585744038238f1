import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { RefusalCode } from "@holo/protocol/refusals.ts";
import type { Arena, Permit } from "../arena/arena.ts";
import type { Database } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import { recordAct } from "./acts.ts";
import { toPlainLine } from "./plain-line.ts";
import { checkMatter } from "./ranks.ts";

export interface GameEndOrder {
  readonly actorId: PlayerId;
  readonly gameId: GameId;
  /** Why, for both players and everybody who looks at the game. */
  readonly reason: string;
}

/** Games that cannot go on. */
export interface GameEnds {
  /**
   * Cancels an active game, and refunds both, once; whose it is to cancel, `toMatterHeldBack` says. Refuses `reason_missing`, what the arena
   * refuses, `access_denied`, `own_matter` and `admin_matter`.
   */
  cancel(order: GameEndOrder): Promise<Result<null, RefusalCode>>;
}

export interface GameEndsOptions {
  readonly database: Database;
  readonly time: Time;
  readonly arena: Pick<Arena, "cancelByHouse">;
}

export function openGameEnds({ time, arena }: GameEndsOptions): GameEnds {
  /** The act stands with the game's end, or neither does. */
  function toPermit({ actorId, gameId }: GameEndOrder, reason: string): Permit {
    return async (tx, players) => {
      const allowed = await checkMatter(tx, actorId, players);
      if (!allowed.ok) return allowed.refusal;
      await recordAct(tx, {
        playerId: actorId,
        act: "game_cancelled",
        subject: gameId,
        detail: reason,
        at: time.now(),
      });
      return null;
    };
  }

  return {
    async cancel(order) {
      const reason = toPlainLine(order.reason);
      if (reason === "") return refuse("reason_missing");
      const answer = await arena.cancelByHouse(order.gameId, reason, toPermit(order, reason));
      return answer.type === "done" ? ok(null) : refuse(answer.code);
    },
  };
}
