/** A press counts after the button was under it for this long: see `GuardedButton`. */
export const SETTLED_AFTER_MS = 500;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Place = Pick<DOMRect, "left" | "top" | "right" | "bottom">;

/** Where a button was, in the order of time. Instants are in ms. */
export interface PlaceTrack {
  readonly places: readonly { readonly place: Place; readonly since: number }[];
  /** It came under a resting mouse, which has not left it since. */
  readonly hasSlippedUnder: boolean;
}

/** `mouse`: where the mouse is now; null if it is unknown or another pointer is used. */
export function followPlace(track: PlaceTrack | null, place: Place, now: number, mouse: Point | null): PlaceTrack {
  const last = track?.places.at(-1);
  if (track === null || last === undefined) return { places: [{ place, since: now }], hasSlippedUnder: false };
  const isUnder = mouse !== null && contains(place, mouse);
  const hasMoved = !isSame(last.place, place);
  const places = hasMoved ? [...track.places, { place, since: now }] : track.places;
  // An entry ends where the next one begins.
  const recent = places.filter((_, index) => (places[index + 1]?.since ?? now) > now - SETTLED_AFTER_MS);
  const hasSlippedUnder = isUnder && (track.hasSlippedUnder || (hasMoved && !contains(last.place, mouse)));
  return { places: recent.length === 0 ? places.slice(-1) : recent, hasSlippedUnder };
}

/** Whether the button has been under this point for long enough. The track is up to date. */
export function hasSettledUnder({ places, hasSlippedUnder }: PlaceTrack, point: Point, now: number): boolean {
  if (hasSlippedUnder || now - places[0]!.since < SETTLED_AFTER_MS) return false;
  return places.every(({ place }) => contains(place, point));
}

export function hasSettled({ places }: PlaceTrack, now: number): boolean {
  return now - places.at(-1)!.since >= SETTLED_AFTER_MS;
}

function contains({ left, top, right, bottom }: Place, { x, y }: Point): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}

function isSame(one: Place, other: Place): boolean {
  // A part of a pixel is not a move.
  const near = (a: number, b: number) => Math.abs(a - b) < 2;
  return (
    near(one.left, other.left) &&
    near(one.top, other.top) &&
    near(one.right, other.right) &&
    near(one.bottom, other.bottom)
  );
}
