import { ok, type Result, refuse } from "@holo/kernel/result.ts";

/** Beyond this number, requests are refused before they cost anything. */
const HASHES_WAITING_MAX = 40;

export type HashingQueue = <Value>(work: () => Promise<Value>) => Promise<Result<Value, "too_many_requests">>;

/** Bounds the number of hashing operations in progress or waiting. */
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
