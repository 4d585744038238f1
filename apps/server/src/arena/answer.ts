import type { GameId } from "@holo/kernel/ids.ts";
import type { RefusalCode, RefusalFigures } from "@holo/protocol/refusals/refusals.ts";
import type { RematchLapse, RematchLapsed } from "@holo/table/log-record.ts";

/** What became of a command. The same command id always gets the same one. */
export type Answer =
  | {
      readonly type: "done";
      readonly gameId: GameId;
      readonly version: number;
      readonly status: "waiting" | "active" | "ended";
      /** It was carried out earlier; what it brought about was sent then. */
      readonly isRepeat: boolean;
    }
  | ({ readonly type: "refused" } & Refusal);

/** Why not, with the figures its text needs. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly figures: RefusalFigures;
  /** Of an accepted rematch that cannot be: why its offer lapses with the refusal. */
  readonly lapse?: Pick<RematchLapsed, "seat"> & { readonly reason: Exclude<RematchLapse, "time"> };
}

export function refused(code: RefusalCode, figures: RefusalFigures = {}): Answer {
  return { type: "refused", code, figures };
}
