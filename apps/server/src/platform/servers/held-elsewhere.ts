import type { ReadonlyShare } from "./share.ts";

/** The keys that other servers hold, and how many players among them are not here. */
export class HeldElsewhere {
  readonly #own: ReadonlyShare;
  /** The number of servers that hold a key. */
  readonly #holders = new Map<string, number>();
  readonly #listeners: ((key: string, isHeld: boolean) => void)[] = [];
  #players = 0;

  constructor(own: ReadonlyShare) {
    this.#own = own;
  }

  has(key: string): boolean {
    return this.#holders.has(key);
  }

  countPlayers(): number {
    return this.#players;
  }

  onChange(receive: (key: string, isHeld: boolean) => void): void {
    this.#listeners.push(receive);
  }

  add(key: string): void {
    this.#change(key, 1);
  }

  delete(key: string): void {
    this.#change(key, -1);
  }

  /** The own share has gained or lost the key. */
  noteOwn(key: string, isOwn: boolean): void {
    if (isPlayer(key) && this.#holders.has(key)) this.#players += isOwn ? -1 : 1;
  }

  #change(key: string, by: 1 | -1): void {
    const before = this.#holders.get(key) ?? 0;
    const after = before + by;
    if (after > 0) this.#holders.set(key, after);
    else this.#holders.delete(key);
    if (before > 0 === after > 0) return;
    if (isPlayer(key) && !this.#own.has(key)) this.#players += by;
    for (const receive of this.#listeners) receive(key, after > 0);
  }
}

/** Keys with a space are seats. */
function isPlayer(key: string): boolean {
  return !key.includes(" ");
}
