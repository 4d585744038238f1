import { loadChunk } from "../chunks/load-chunk.ts";
import { isSwitchedOn } from "../preferences/switches.ts";
import type { Sound } from "./sound-synth.ts";
import { loadVolume, VOLUME_MAX } from "./volume.ts";

interface Voice {
  readonly audio: AudioContext;
  readonly playOn: (context: AudioContext, sound: Sound, count: number, loudness: number) => void;
}

/** Sounds that the other player causes; the notifications switch silences them too (ruling 29). */
const OPPONENT_SOUNDS: ReadonlySet<Sound> = new Set(["chat", "offer"]);

let context: AudioContext | null = null;
/** Loads after the first touch. */
let voice: Promise<Voice> | null = null;
/** A later sound would announce something old. */
const LATE_MS = 1_000;
const AFTER_PAINT_MS = 50;
/** Longer than any sound. Running audio costs battery and CPU even when silent. */
const SUSPEND_AFTER_MS = 5_000;
let suspendTimer: ReturnType<typeof setTimeout> | undefined;
/** The capture phase, since the pressed element's own listener may play the first sound. */
const CAPTURE = { capture: true };

/**
 * Plays a sound, unless sounds are off or the page was not touched yet. `count` is the number of
 * captured pieces.
 */
export function playSound(sound: Sound, count = 1): void {
  if (voice === null || !isAudible(sound)) return;
  const askedAtMs = performance.now();
  const isDue = () => performance.now() - askedAtMs <= LATE_MS && isAudible(sound);
  // Without the chunk or without audio the game continues silently.
  voice.then((loaded) => playInTime(loaded, sound, count, isDue)).catch(() => undefined);
}

function isAudible(sound: Sound): boolean {
  return isSwitchedOn("sound") && loadLoudness() > 0 && (!OPPONENT_SOUNDS.has(sound) || isSwitchedOn("notifications"));
}

/**
 * Suspended audio, as during a call, queues sounds and plays them all when it resumes. So nothing
 * is queued, and late sounds are dropped.
 */
async function playInTime({ audio, playOn }: Voice, sound: Sound, count: number, isDue: () => boolean): Promise<void> {
  if (audio.state === "suspended") await audio.resume();
  suspendLater(audio);
  const play = () => {
    if (audio.state === "running" && isDue()) playOn(audio, sound, count, loadLoudness());
  };
  // In its own task, so that the press is not delayed. Browsers throttle timers of hidden pages.
  if (document.visibilityState === "hidden") play();
  else setTimeout(play);
}

/** Ears hear ratios: half the volume is a quarter of the amplitude. */
function loadLoudness(): number {
  return (loadVolume() / VOLUME_MAX) ** 2;
}

/** The first AudioContext of a browser blocks the page while it starts its audio. */
function open(): AudioContext {
  if (context === null) {
    context = new AudioContext({ latencyHint: "interactive" });
    // Runs immediately if an earlier touch allows sound.
    suspendLater(context);
  }
  return context;
}

/** A mouse moves before it presses, so audio is opened before the first press. */
function prepare({ pointerType }: PointerEvent): void {
  if (pointerType !== "mouse") return;
  removeEventListener("pointermove", prepare);
  setTimeout(open);
}

/** Browsers allow sound after the first touch. A call may suspend it until the next one. */
function unlock(): void {
  voice ??= loadVoice();
  if (context !== null) wake(context);
}

/** Loads after the touch was drawn. */
async function loadVoice(): Promise<Voice> {
  await new Promise((resolve) => setTimeout(resolve, AFTER_PAINT_MS));
  const audio = open();
  wake(audio);
  const { playOn } = await loadChunk(() => import("./sound-synth.ts"), { isOptional: true });
  return { audio, playOn };
}

function wake(audio: AudioContext): void {
  // Refused during a call; the next touch tries again.
  if (audio.state !== "running") audio.resume().catch(() => undefined);
  suspendLater(audio);
}

function suspendLater(audio: AudioContext): void {
  clearTimeout(suspendTimer);
  // Refused during a call, which suspended it already.
  suspendTimer = setTimeout(() => void audio.suspend().catch(() => undefined), SUSPEND_AFTER_MS);
}

addEventListener("pointermove", prepare);
addEventListener("pointerup", unlock, CAPTURE);
addEventListener("keydown", unlock, CAPTURE);
if (navigator.userActivation?.hasBeenActive === true) unlock();
