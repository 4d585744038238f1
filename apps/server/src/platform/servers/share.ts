export type Change = `+${string}` | `-${string}`;

export interface ReadonlyShare {
  has(key: string): boolean;
  keys(): Iterable<string>;
}

export interface Share extends ReadonlyShare {
  add(key: string): boolean;
  delete(key: string): boolean;
  digest(): string;
}

export function makeShare(first: Iterable<string> = []): Share {
  const keys = new Set<string>();
  let sum = 0;
  const add = (key: string): boolean => {
    if (keys.has(key)) return false;
    keys.add(key);
    sum = (sum + toHash(key)) >>> 0;
    return true;
  };
  for (const key of first) add(key);
  return {
    has: (key) => keys.has(key),
    keys: () => keys,
    add,
    delete(key) {
      if (!keys.delete(key)) return false;
      sum = (sum - toHash(key)) >>> 0;
      return true;
    },
    digest: () => `${keys.size} ${sum}`,
  };
}

/** FNV-1a, 32 bits. */
function toHash(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}
