import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { toQueueSource } from "../../platform/fair-queue.ts";
import type { AccountPartDeps, Client } from "../account-part-deps.ts";
import type { HashingOrder } from "./hashing-queues.ts";
import { toProvenLane } from "./proof-of-work.ts";

/**
 * Where a visitor's request waits for its hash. Refuses `work_required` without a valid
 * proof of work if `isProofRequired`, or under pressure.
 */
export function toHashingOrder(
  lane: "login" | "registration",
  { address }: Pick<Client, "address">,
  proof: string | undefined,
  { proofOfWork }: Pick<AccountPartDeps, "proofOfWork">,
  isProofRequired = false,
): Result<HashingOrder, "work_required"> {
  const source = toQueueSource(address);
  if (proof !== undefined && proofOfWork.trySpend(proof, address)) return ok({ lane: toProvenLane(lane), source });
  return isProofRequired || proofOfWork.requiredBits(lane) > 0 ? refuse("work_required") : ok({ lane, source });
}
