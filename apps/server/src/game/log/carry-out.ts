import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Wallet } from "../../ledger/ledger.ts";
import type { Refusal } from "../answer.ts";
import type { Finding } from "./finding.ts";
import type { LifecycleJob } from "./lifecycle-job.ts";
import type { JobOutcome } from "./lifecycle-outcome.ts";
import type { SeatCommand } from "./seat-facts.ts";

export type Verdict =
  /** The findings allow the job. It may now post more, such as the repayment of a debt. */
  { readonly type: "accepted"; readonly job: LifecycleJob } | Prevented;

export type Prevented =
  /** Another record has this version: resync and decide again. */
  | { readonly type: "stale" }
  /** The game is not this server's. */
  | { readonly type: "fenced" }
  /** `playerId` is the player concerned, if it matters. */
  | ({ readonly type: "refused"; readonly playerId?: PlayerId } & Refusal)
  /** The player's command was carried out before. */
  | { readonly type: "repeated"; readonly playerId: PlayerId; readonly command: SeatCommand }
  /** Games wait on the seeker's terms. */
  | { readonly type: "waiting"; readonly gameIds: readonly GameId[] };

/** Findings may change between two attempts, but not forever. */
const ATTEMPTS_MAX = 10;

/** Commits a job and judges the findings against it, until it is committed or prevented. */
export async function carryOut(
  commit: (job: LifecycleJob) => Promise<JobOutcome>,
  first: LifecycleJob,
  judge: (findings: readonly Finding[], job: LifecycleJob) => Verdict,
): Promise<{ readonly type: "committed"; readonly wallets: readonly Wallet[] } | Prevented> {
  let job = first;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const outcome = await commit(job);
    if (outcome.type === "committed") return outcome;
    const verdict = judge(outcome.findings, first);
    if (verdict.type !== "accepted") return verdict;
    job = { ...verdict.job, judged: outcome.findings };
  }
  throw new Error("the findings about a job changed with each attempt");
}
