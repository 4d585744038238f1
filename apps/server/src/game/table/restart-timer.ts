import { SECOND_MS } from "@holo/kernel/instant.ts";
import { clearTimeout, setTimeout } from "../../platform/runtime.ts";

const FIRST_DELAY_MS = SECOND_MS / 2;
const DELAY_MS_MAX = 10 * SECOND_MS;
/** A table that ran this long restarts without delay. */
const RESET_AFTER_MS = 60 * SECOND_MS;

/** Delays the restarts of a stopped table: not the first one, then twice as long each time. */
export class RestartTimer {
  /** The delay after the table could not be read. */
  static readonly RETRY_MS = FIRST_DELAY_MS;
  #count = 0;
  #newestMs: number | null = null;
  #timer: NodeJS.Timeout | null = null;

  get isPending(): boolean {
    return this.#timer !== null;
  }

  nextDelayMs(nowMs: number): number {
    const isRecent = this.#newestMs !== null && nowMs - this.#newestMs <= RESET_AFTER_MS;
    this.#count = isRecent ? this.#count + 1 : 0;
    this.#newestMs = nowMs;
    return this.#count === 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (this.#count - 1), DELAY_MS_MAX);
  }

  set(delayMs: number, restart: () => void): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      restart();
    }, delayMs);
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
