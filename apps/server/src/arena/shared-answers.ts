import type { Answer } from "./answer.ts";

/**
 * Copies of a command that are sent while it waits get its answer: a page sends again every few
 * seconds. Queued by themselves they would be answered later and later on a slow database, at last
 * only on connections that the page has given up, or refused although the first copy is saved.
 */
export class SharedAnswers {
  readonly #waiting = new Map<string, Promise<Answer>>();

  /** @param key the command's player, id and content */
  share(key: string, run: () => Promise<Answer>): Promise<Answer> {
    const first = this.#waiting.get(key);
    if (first !== undefined) return first.then(toRepeat);
    const answer = run().finally(() => this.#waiting.delete(key));
    this.#waiting.set(key, answer);
    return answer;
  }

  async settle(): Promise<void> {
    await Promise.allSettled(this.#waiting.values());
  }
}

function toRepeat(answer: Answer): Answer {
  return answer.type === "done" ? { ...answer, isRepeat: true } : answer;
}
