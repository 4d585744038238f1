import type { Answer } from "./answer.ts";

/**
 * Copies of a command that arrive while it waits get its answer: a page resends every few seconds.
 * Queued separately, they would be answered ever later, or refused although the first is saved.
 */
export class SharedAnswers {
  readonly #waiting = new Map<string, Promise<Answer>>();
  readonly #refusals = new Map<string, Answer>();
  readonly #refusalsKept: number;

  /** `refusalsKept`: this many refusals also answer copies that arrive later. */
  constructor(refusalsKept: number) {
    this.#refusalsKept = refusalsKept;
  }

  /** `key` is the command's player, id and content. */
  share(key: string, run: () => Promise<Answer>): Promise<Answer> {
    const first = this.#waiting.get(key);
    if (first !== undefined) return first.then(toRepeat);
    const refusal = this.#refusals.get(key);
    if (refusal !== undefined) return Promise.resolve(refusal);
    const answer = this.#run(key, run).finally(() => this.#waiting.delete(key));
    this.#waiting.set(key, answer);
    return answer;
  }

  async #run(key: string, run: () => Promise<Answer>): Promise<Answer> {
    const answer = await run();
    if (answer.type !== "refused") return answer;
    this.#refusals.set(key, answer);
    const [oldest] = this.#refusals.keys();
    if (this.#refusals.size > this.#refusalsKept && oldest !== undefined) this.#refusals.delete(oldest);
    return answer;
  }

  async settle(): Promise<void> {
    await Promise.allSettled(this.#waiting.values());
  }
}

function toRepeat(answer: Answer): Answer {
  return answer.type === "done" ? { ...answer, isRepeat: true } : answer;
}
