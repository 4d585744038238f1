import { loadPart } from "./part.ts";
import type { Sound } from "./sound-synth.ts";
import { isSwitchedOn } from "./switches.ts";

/** What it sounds on, and what makes the sounds. */
interface Voice {
  readonly audio: AudioContext;
  readonly playOn: (context: AudioContext, sound: Sound, count: number) => void;
}

/** What somebody else says: the switch of notifications silences it too (ruling 29). */
const CALLS: ReadonlySet<Sound> = new Set(["chat", "offer"]);

let context: AudioContext | null = null;
/** On its way from the first touch on. */
let voice: Promise<Voice> | null = null;
/** What would sound later than this tells of something that is past. */
const LATE_MS = 1_000;
const SHOWN_MS = 50;
/** Longer than any sound. Audio that runs costs a phone its battery, and a core some of its time, also while it plays nothing. */
const QUIET_MS = 5_000;
let resting: ReturnType<typeof setTimeout> | undefined;
/** On the way down to what was pressed: its own listeners may play the first sound. */
const FIRST = { capture: true };

/** Plays a sound, unless the player switched sounds off or has not touched the page yet. @param count how many pieces a capture takes */
export function playSound(sound: Sound, count = 1): void {
  if (voice === null || !isAudible(sound)) return;
  const askedAtMs = performance.now();
  const isDue = () => performance.now() - askedAtMs <= LATE_MS && isAudible(sound);
  // A part of a build that is gone, or no audio to be had: the game goes on without sounds.
  voice.then((found) => playInTime(found, sound, count, isDue)).catch(() => undefined);
}

function isAudible(sound: Sound): boolean {
  return isSwitchedOn("sound") && (!CALLS.has(sound) || isSwitchedOn("notifications"));
}

/**
 * Audio that does not run, as during a call, keeps whatever is played on it, and plays all of it at once when it runs again: so nothing is, and what
 * waited for it too long is left out.
 */
async function playInTime({ audio, playOn }: Voice, sound: Sound, count: number, isDue: () => boolean): Promise<void> {
  if (audio.state === "suspended") await audio.resume();
  restLater(audio);
  const play = () => {
    if (audio.state === "running" && isDue()) playOn(audio, sound, count);
  };
  // In a task of its own: making the tones is no part of the press that asked for them. Where nobody looks browsers hold tasks back for up to a minute.
  if (document.visibilityState === "hidden") play();
  else setTimeout(play);
}

/** The first that a browser makes starts its audio, which holds the page up for longer than its loading or a press may take. */
function open(): AudioContext {
  context ??= new AudioContext({ latencyHint: "interactive" });
  return context;
}

/** A mouse is here before it presses anything: its press, which lifts a piece, then has nothing left to wait for. */
function prepare({ pointerType }: PointerEvent): void {
  if (pointerType !== "mouse") return;
  removeEventListener("pointermove", prepare);
  setTimeout(open);
}

/** Browsers let a page sound only after its first touch, and a call that came in may silence it until the next one. */
function unlock(): void {
  voice ??= loadVoice();
  if (context !== null) wake(context);
}

/** A finger's touch counts once it is lifted; what it did is shown before anything of this is begun. */
async function loadVoice(): Promise<Voice> {
  await new Promise((resolve) => setTimeout(resolve, SHOWN_MS));
  const audio = open();
  wake(audio);
  const { playOn } = await loadPart(() => import("./sound-synth.ts"), { isSpared: true });
  return { audio, playOn };
}

/** A touch may be about to sound: what rests is then awake in time. */
function wake(audio: AudioContext): void {
  // Refused while the call lasts: the touch after it wakes it.
  if (audio.state !== "running") audio.resume().catch(() => undefined);
  restLater(audio);
}

function restLater(audio: AudioContext): void {
  clearTimeout(resting);
  // Refused during a call, which has silenced it already.
  resting = setTimeout(() => void audio.suspend().catch(() => undefined), QUIET_MS);
}

addEventListener("pointermove", prepare);
addEventListener("pointerup", unlock, FIRST);
addEventListener("keydown", unlock, FIRST);
if (navigator.userActivation?.hasBeenActive === true) unlock();
