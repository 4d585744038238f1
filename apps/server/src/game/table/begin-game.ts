import type { Instant } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import type { TableState } from "@holo/table/state.ts";
import { carryOut, type Prevented, type Verdict } from "../log/carry-out.ts";
import type { Finding } from "../log/finding.ts";
import type { LifecycleCommit } from "../log/lifecycle-commit.ts";
import type { LifecycleJob, Search } from "../log/lifecycle-job.ts";
import { toSendable } from "../log/log-record.ts";
import type { NewGame, PaidSeat } from "../log/new-game.ts";
import type { Tables } from "./tables.ts";

/** A new game with the seats that its players pay for. */
export interface GameBeginning {
  readonly at: Instant;
  readonly game: NewGame;
  readonly paid: readonly PaidSeat[];
  readonly players: BySeat<PlayerView, PlayerView | null>;
  readonly search?: Search | undefined;
}

export type Begun = { readonly type: "begun"; readonly state: TableState<unknown> } | Prevented;

/** Commits the game, if the findings allow it, and opens its table here. */
export async function beginGame(
  lifecycle: Pick<LifecycleCommit, "commit">,
  tables: Pick<Tables, "open">,
  { at, game, paid, players, search }: GameBeginning,
  judge: (findings: readonly Finding[], job: LifecycleJob) => Verdict,
): Promise<Begun> {
  const job: LifecycleJob = {
    at,
    games: [game.change],
    seats: paid.map(({ seat }) => seat),
    search,
    entries: paid.flatMap(({ entries }) => entries),
  };
  const end = await carryOut((next) => lifecycle.commit(next), job, judge);
  if (end.type !== "committed") return end;
  const { state, encoded } = game;
  const content = { state, records: encoded.map(toSendable), hash: encoded.at(-1)!.hash, players };
  return { type: "begun", state: tables.open(content, end.wallets).state };
}
