import type { Page } from "@playwright/test";

/** The first tone of sounds that have a unique pitch, in whole Hz. */
const TONES = { start: 280, low_time: 1_900, chat: 659 } as const;

interface Tone {
  readonly hz: number;
  readonly ms: number;
}

/**
 * Records the sounds of the page from its next load on. A page plays sounds only after a user
 * gesture. Returns the times of a sound in ms of the page's clock, oldest first.
 */
export async function recordSounds(page: Page): Promise<(sound: keyof typeof TONES) => Promise<readonly number[]>> {
  await page.addInitScript(() => {
    const tones: Tone[] = [];
    Object.assign(window, { tones });
    const make = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function (this: AudioContext) {
      const voice = make.call(this);
      const { frequency } = voice;
      const set = frequency.setValueAtTime;
      let isHeard = false;
      frequency.setValueAtTime = (hz, at) => {
        if (!isHeard) tones.push({ hz: Math.round(hz), ms: performance.now() });
        isHeard = true;
        return set.call(frequency, hz, at);
      };
      return voice;
    };
  });
  return async (sound) => {
    const tones = await page.evaluate(() => (window as unknown as { readonly tones: readonly Tone[] }).tones);
    return tones.filter(({ hz }) => hz === TONES[sound]).map(({ ms }) => ms);
  };
}
