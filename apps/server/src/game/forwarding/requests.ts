import type { Log } from "../../platform/log.ts";
import { sleep } from "../../platform/runtime.ts";
import type { Links } from "../../platform/servers/links.ts";

/** What the owner answers if the table is not its own any more. */
export const MOVED = "moved";

const RETRY_MS = 100;

/** Null: no answer, or the table has moved. */
export async function ask<Answered>(
  { links, log }: { readonly links: Links; readonly log: Log },
  server: string,
  topic: string,
  message: unknown,
): Promise<Answered | null> {
  try {
    const answer = await links.request(server, topic, message);
    return answer === MOVED ? null : (answer as Answered);
  } catch (err) {
    log.debug({ err, server, topic }, "another server did not answer");
    await sleep(RETRY_MS);
    return null;
  }
}
