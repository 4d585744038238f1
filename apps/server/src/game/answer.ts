import type { GameId } from "@holo/kernel/ids.ts";
import type { RefusalCode, RefusalFigures } from "@holo/protocol/refusals/refusals.ts";
import type { RematchLapse, RematchLapsed } from "@holo/table/log-record.ts";
import type { TableState } from "@holo/table/state.ts";
import { isRolledBack } from "../platform/database/rolled-back.ts";

/**
 * The same command id always gets the same outcome. A refusal means that the command changed
 * nothing; a command of unknown outcome is to be sent again.
 */
export type Answer =
  | {
      readonly type: "done";
      readonly gameId: GameId;
      readonly version: number;
      readonly status: OpenStatus;
      readonly isRepeat: boolean;
    }
  | ({ readonly type: "refused" } & Refusal)
  | { readonly type: "unknown" };

type OpenStatus = "waiting" | "active" | "ended";

export interface Refusal {
  readonly code: RefusalCode;
  readonly figures: RefusalFigures;
  /** Why the rematch offer lapses when its acceptance is refused with this. */
  readonly lapse?: Pick<RematchLapsed, "seat"> & { readonly reason: Exclude<RematchLapse, "time"> };
}

export type Refused = Extract<Answer, { readonly type: "refused" }>;

export function refused(code: RefusalCode, figures: RefusalFigures = {}): Refused {
  return { type: "refused", code, figures };
}

export const UNKNOWN: Answer = { type: "unknown" };

/** The answer to a command that failed: a refusal only if it cannot have been committed. */
export function toFailure(error: unknown): Answer {
  return isRolledBack(error) ? refused("something_went_wrong") : UNKNOWN;
}

export function done(state: TableState<unknown>, version: number, isRepeat: boolean): Answer {
  return { type: "done", gameId: state.gameId, version, status: toOpenStatus(state), isRepeat };
}

function toOpenStatus({ status }: TableState<unknown>): OpenStatus {
  return status === "waiting" || status === "active" ? status : "ended";
}
