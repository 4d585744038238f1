const KNOWN_PLACES_MAX = 100_000;

/**
 * From which addresses an account was logged in to, or its password chosen by a mailed link, since the start: there its owner is not held up
 * by others' guesses elsewhere.
 */
export interface KnownPlaces {
  has(email: string, address: string): boolean;
  add(email: string, address: string): void;
}

export function makeKnownPlaces(): KnownPlaces {
  const places = new Set<string>();
  return {
    has: (email, address) => places.has(`${email} ${address}`),
    add(email, address) {
      places.delete(`${email} ${address}`);
      places.add(`${email} ${address}`);
      const oldest = places.size > KNOWN_PLACES_MAX ? places.values().next() : undefined;
      if (oldest?.done === false) places.delete(oldest.value);
    },
  };
}
