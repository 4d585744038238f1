const KNOWN_ADDRESSES_MAX = 100_000;

/**
 * Network addresses from which an account logged in or reset its password since the start. There
 * others' guesses do not throttle the owner.
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
