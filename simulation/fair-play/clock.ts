import { addMs, type Instant } from "@holo/kernel/instant.ts";
import type { TestTime } from "../../apps/server/src/platform/testing/test-time.ts";

/**
 * Someone who acts at own times. Their time is that of their last sleep: what the server takes to
 * answer costs them nothing.
 */
export interface Actor {
  now(): Instant;
  sleep(ms: number): Promise<void>;
  /** Waits for what other actors do, however long. */
  idle<Value>(waiting: Promise<Value>): Promise<Value>;
  /** Their next answer must not take any of the thinking that follows it. */
  isPrompt: boolean;
}

export interface Clock {
  /** Starts at the present time, or at a later one. */
  spawn(run: (actor: Actor) => Promise<void>, at?: Instant): Promise<void>;
  /** Does something again and again, as long as others act. */
  repeat(everyMs: number, run: () => Promise<void>): void;
  /** Moves time from one sleeper to the next, until no actor is left. */
  run(): Promise<void>;
}

interface State {
  since: number;
  isPrompt: boolean;
}

interface Sleeper {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

/** How far time may run ahead of an actor that waits for an answer. */
const AHEAD_MS = 20_000;
const ANSWER_MS_MAX = 600_000;

/**
 * Time passes as fast as the server answers; actors whose times lie close together act at once.
 * `promptMs`: how far it may run ahead of the answer to a move.
 */
export function openClock(time: TestTime, promptMs: number): Clock {
  const sleepers: Sleeper[] = [];
  const busy = new Set<State>();
  let order = 0;
  let acting = 0;
  let failed: { readonly error: unknown } | null = null;
  let noteChange: () => void = () => undefined;

  function sleepUntil(at: number, wake: () => void): void {
    order += 1;
    push(sleepers, { at, order, wake });
    noteChange();
  }

  const canPass = (at: number): boolean => {
    for (const { since, isPrompt } of busy) if (at - since > (isPrompt ? promptMs : AHEAD_MS)) return false;
    return true;
  };

  return {
    spawn(run, given = time.now()) {
      const at = Math.round(given);
      const state: State = { since: at, isPrompt: false };
      acting += 1;
      const actor: Actor = {
        get isPrompt() {
          return state.isPrompt;
        },
        set isPrompt(value) {
          state.isPrompt = value;
        },
        now: () => state.since as Instant,
        sleep(ms) {
          busy.delete(state);
          const until = addMs(state.since as Instant, Math.max(1, Math.round(ms)));
          return new Promise((resolve) =>
            sleepUntil(until, () => {
              state.since = Math.max(until, time.now());
              busy.add(state);
              resolve();
            }),
          );
        },
        async idle(waiting) {
          busy.delete(state);
          noteChange();
          try {
            return await waiting;
          } finally {
            state.since = Math.max(state.since, time.now());
            busy.add(state);
          }
        },
      };
      return new Promise((resolve) => {
        sleepUntil(at, () => {
          busy.add(state);
          run(actor)
            .catch((error: unknown) => {
              failed ??= { error };
            })
            .finally(() => {
              busy.delete(state);
              acting -= 1;
              noteChange();
              resolve();
            });
        });
      });
    },
    repeat(everyMs, run) {
      const state: State = { since: time.now(), isPrompt: false };
      const again = (): void =>
        sleepUntil(addMs(time.now(), everyMs), () => {
          state.since = time.now();
          busy.add(state);
          run()
            .catch((error: unknown) => {
              failed ??= { error };
            })
            .finally(() => {
              busy.delete(state);
              again();
            });
        });
      again();
    },
    async run() {
      while (acting > 0) {
        if (failed !== null) throw failed.error;
        const next = sleepers[0];
        if (next === undefined || !canPass(next.at)) {
          await new Promise<void>((resolve, reject) => {
            const describe = () => [...busy].map(({ since }) => `since ${new Date(since).toISOString()}`).join(", ");
            const late = setTimeout(() => reject(new Error(`no one got an answer: ${describe()}`)), ANSWER_MS_MAX);
            noteChange = () => {
              clearTimeout(late);
              resolve();
            };
          });
        } else {
          pop(sleepers);
          if (next.at > time.now()) time.advance(next.at - time.now());
          next.wake();
        }
        // Someone who woke begins what they do before time passes.
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (failed !== null) throw failed.error;
    },
  };
}

const isBefore = (one: Sleeper, other: Sleeper): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

function push(heap: Sleeper[], added: Sleeper): void {
  let index = heap.push(added) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!isBefore(heap[index]!, heap[parent]!)) return;
    [heap[index], heap[parent]] = [heap[parent]!, heap[index]!];
    index = parent;
  }
}

function pop(heap: Sleeper[]): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  heap[0] = last;
  let index = 0;
  for (;;) {
    const [left, right] = [2 * index + 1, 2 * index + 2];
    let least = index;
    if (left < heap.length && isBefore(heap[left]!, heap[least]!)) least = left;
    if (right < heap.length && isBefore(heap[right]!, heap[least]!)) least = right;
    if (least === index) return;
    [heap[index], heap[least]] = [heap[least]!, heap[index]!];
    index = least;
  }
}
