import { assert } from "@holo/kernel/assert.ts";
import type { CommandId } from "@holo/kernel/ids.ts";
import type { Seat } from "@holo/rules/rules.ts";

/** A completed command, kept so that the same id gets the same answer. */
export interface AnsweredCommand {
  readonly id: CommandId;
  readonly by: Seat;
  /** The request as text: distinguishes a repeat from an id reused for another request. */
  readonly content: string;
  readonly version: number;
}

/**
 * The completed commands of a table by id, immutable. Finding and adding run for every move, so a
 * value shares its index with its successor and sees only its own part.
 */
export class AnsweredCommands {
  readonly #byId: Map<CommandId, AnsweredCommand>;
  readonly #count: number;
  readonly #newestVersion: number;

  private constructor(byId: Map<CommandId, AnsweredCommand>, count: number, newestVersion: number) {
    this.#byId = byId;
    this.#count = count;
    this.#newestVersion = newestVersion;
  }

  static none(): AnsweredCommands {
    return new AnsweredCommands(new Map(), 0, 0);
  }

  find(id: CommandId): AnsweredCommand | null {
    const answered = this.#byId.get(id);
    return answered === undefined || answered.version > this.#newestVersion ? null : answered;
  }

  /** Throws unless versions increase. */
  add(answered: AnsweredCommand): AnsweredCommands {
    assert(answered.version > this.#newestVersion, "answers are added in their order");
    // If another value was derived from this one before, that value keeps the index.
    const byId = this.#byId.size === this.#count ? this.#byId : this.#copyOwn();
    byId.set(answered.id, answered);
    return new AnsweredCommands(byId, this.#count + 1, answered.version);
  }

  #copyOwn(): Map<CommandId, AnsweredCommand> {
    return new Map([...this.#byId].slice(0, this.#count));
  }
}
