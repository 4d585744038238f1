/** In tenths, 0 to 10. Kept on this device. */
export const VOLUME_MAX = 10;
const KEY = "holo.volume";

export function parseVolume(kept: string | null): number {
  const volume = Number(kept ?? VOLUME_MAX);
  return Number.isInteger(volume) && volume >= 0 && volume <= VOLUME_MAX ? volume : VOLUME_MAX;
}

export function loadVolume(): number {
  try {
    return parseVolume(localStorage.getItem(KEY));
  } catch {
    // Storage is blocked: full volume.
    return VOLUME_MAX;
  }
}

export function saveVolume(volume: number): void {
  try {
    localStorage.setItem(KEY, String(volume));
  } catch {
    // Storage is blocked: the choice is lost.
  }
}
