/** Specification 4: a sound every two seconds under a minute. */
const LOW_SOUND_EVERY_MS = 2_000;

/**
 * Plays after `afterMs` and then every two seconds, but not within two seconds of the last sound
 * (`lastMs`, relative to now). Returns a function that stops it.
 */
export function startLowTimeSounds(afterMs: number, lastMs: number, play: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  function playAgain(): void {
    play();
    timer = setTimeout(playAgain, LOW_SOUND_EVERY_MS);
  }
  timer = setTimeout(playAgain, Math.max(0, afterMs, lastMs + LOW_SOUND_EVERY_MS));
  return () => clearTimeout(timer);
}
