const KNOWN_ADDRESSES_MAX = 100_000;

/**
 * From which addresses an account was logged in to, or its password chosen by a mailed link, since the start: there its owner is not held up
 * by others' guesses elsewhere.
 */
export interface KnownAddresses {
  has(email: string, address: string): boolean;
  add(email: string, address: string): void;
}

export function makeKnownAddresses(): KnownAddresses {
  const known = new Set<string>();
  return {
    has: (email, address) => known.has(`${email} ${address}`),
    add(email, address) {
      known.delete(`${email} ${address}`);
      known.add(`${email} ${address}`);
      const oldest = known.size > KNOWN_ADDRESSES_MAX ? known.values().next() : undefined;
      if (oldest?.done === false) known.delete(oldest.value);
    },
  };
}
