import type { Answer } from "./answer.ts";

/**
 * Copies of a command that arrive while it waits get its answer: a page resends every few seconds.
 * Queued separately, they would be answered ever later, or refused although the first is saved.
 */
export class SharedAnswers {
  readonly #waiting = new Map<string, Promise<Answer>>();

  /** `key` is the command's player, id and content. */
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
