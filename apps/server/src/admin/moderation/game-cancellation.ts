import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Games, SettlementHook } from "../../game/game.ts";
import type { Time } from "../../platform/time/time.ts";
import { recordAuditEvent } from "../audit-log/audit-log.ts";
import { checkCase } from "../authority.ts";
import { toSingleLine } from "../single-line.ts";

interface CancelGameOrder {
  readonly actorId: PlayerId;
  readonly gameId: GameId;
  readonly reason: string;
}

/** In the order of the checks; the last three are of the server itself. */
const CANCELLATION_REFUSALS = [
  "reason_missing",
  "unknown_game",
  "game_over",
  "not_started",
  "access_denied",
  "own_matter",
  "admin_matter",
  "unavailable",
  "something_went_wrong",
  "cancellation_unknown",
] as const;
type CancellationRefusal = (typeof CANCELLATION_REFUSALS)[number];

export interface GameCancellation {
  /**
   * Cancels an active game once and refunds both players. `findCaseConflict` says who may. Refusals
   * in the order of `CancellationRefusal`.
   */
  cancel(order: CancelGameOrder): Promise<Result<null, CancellationRefusal>>;
}

interface GameCancellationDeps {
  readonly time: Time;
  readonly games: Pick<Games, "cancelByStaff">;
}

export function openGameCancellation({ time, games }: GameCancellationDeps): GameCancellation {
  /** Records the audit event in the transaction that ends the game. */
  function toPermit({ actorId, gameId }: CancelGameOrder, reason: string): SettlementHook {
    return async (tx, players) => {
      const allowed = await checkCase(tx, actorId, players);
      if (!allowed.ok) return allowed.refusal;
      await recordAuditEvent(tx, {
        playerId: actorId,
        action: "game_cancelled",
        subject: gameId,
        detail: reason,
        at: time.now(),
      });
      return null;
    };
  }

  return {
    async cancel(order) {
      const reason = toSingleLine(order.reason);
      if (reason === "") return refuse("reason_missing");
      const answer = await games.cancelByStaff(order.gameId, reason, toPermit(order, reason));
      if (answer.type === "done") return ok(null);
      if (answer.type === "unknown") return refuse("cancellation_unknown");
      const refusal = CANCELLATION_REFUSALS.find((code) => code === answer.code);
      assert(refusal !== undefined, `a cancellation by staff was refused with ${answer.code}`);
      return refuse(refusal);
    },
  };
}
