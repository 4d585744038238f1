import { assert } from "@holo/kernel/assert.ts";
import type { CommandId } from "@holo/kernel/ids.ts";
import type { Seat } from "@holo/rules/rules.ts";

/** A command that was carried out, kept so that the same id gets the same answer. */
export interface Answered {
  readonly id: CommandId;
  readonly by: Seat;
  /** What it asked for, as text: an id that comes again with other content is told apart from a repeat. */
  readonly content: string;
  readonly version: number;
}

/**
 * Commands carried out at a table, in order, found by their id. An immutable value, but neither finding nor adding looks at a game's
 * whole past, since both run for every move: a value shares its index with the one that grew from it and sees only its own part.
 */
export class Answers {
  readonly #byId: Map<CommandId, Answered>;
  readonly #count: number;
  readonly #newestVersion: number;

  private constructor(byId: Map<CommandId, Answered>, count: number, newestVersion: number) {
    this.#byId = byId;
    this.#count = count;
    this.#newestVersion = newestVersion;
  }

  static none(): Answers {
    return new Answers(new Map(), 0, 0);
  }

  find(id: CommandId): Answered | null {
    const answered = this.#byId.get(id);
    return answered === undefined || answered.version > this.#newestVersion ? null : answered;
  }

  /** Versions rise from one command to the next. */
  add(answered: Answered): Answers {
    assert(answered.version > this.#newestVersion, "answers are added in their order");
    // Another value grew from this one before: that one keeps the index.
    const byId = this.#byId.size === this.#count ? this.#byId : this.#copyOwn();
    byId.set(answered.id, answered);
    return new Answers(byId, this.#count + 1, answered.version);
  }

  #copyOwn(): Map<CommandId, Answered> {
    return new Map([...this.#byId].slice(0, this.#count));
  }
}
