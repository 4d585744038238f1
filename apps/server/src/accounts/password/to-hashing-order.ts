import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { toQueueSource } from "../../platform/fair-queue.ts";
import type { AccountPartDeps, Client } from "../account-part-deps.ts";
import type { HashingOrder } from "./hashing-queues.ts";
import { toProvenLane } from "./proof-of-work.ts";

/**
 * Where a visitor's request waits for its hash. Refuses `work_required` under pressure
 * without a proof of work. Queue the request in the same tick, or more pass than are meant to.
 */
export function toHashingOrder(
  lane: "login" | "registration",
  { address }: Pick<Client, "address">,
  isProven: boolean,
  { proofOfWork }: Pick<AccountPartDeps, "proofOfWork">,
): Result<HashingOrder, "work_required"> {
  const source = toQueueSource(address);
  if (isProven) return ok({ lane: toProvenLane(lane), source });
  return proofOfWork.requiredBits(lane) > 0 ? refuse("work_required") : ok({ lane, source });
}
