import { ok, type Result, refuse } from "@holo/kernel/result.ts";

/** Password hashes that may wait at once; who comes on top is turned away before costing anything. */
const HASHES_WAITING_MAX = 40;

export type HashingQueue = <Value>(work: () => Promise<Value>) => Promise<Result<Value, "too_many_requests">>;

/** Does the work of hashing while not too much of it waits already. */
export function makeHashingQueue(): HashingQueue {
  let hashing = 0;
  return async (work) => {
    if (hashing >= HASHES_WAITING_MAX) return refuse("too_many_requests");
    hashing += 1;
    try {
      return ok(await work());
    } finally {
      hashing -= 1;
    }
  };
}
