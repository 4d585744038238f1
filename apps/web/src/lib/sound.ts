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

/** Plays a sound, unless the player switched sounds off or has not touched the page yet. @param count how many pieces a capture takes */
export function playSound(sound: Sound, count = 1): void {
  if (voice === null || !isSwitchedOn("sound")) return;
  if (CALLS.has(sound) && !isSwitchedOn("notifications")) return;
  const askedAtMs = performance.now();
  void voice.then(
    ({ audio, playOn }) => {
      if (performance.now() - askedAtMs > LATE_MS) return;
      // In a task of its own: making the tones is no part of the press that asked for them.
      setTimeout(() => playOn(audio, sound, count));
    },
    // A part of a build that is gone: the game goes on without sounds.
    () => {},
  );
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

/** A finger's touch counts once it is lifted; what it did is shown before the audio starts. */
async function loadVoice(): Promise<Voice> {
  const [audio, { playOn }] = await Promise.all([
    new Promise<AudioContext>((resolve) => setTimeout(() => resolve(wake(open())), SHOWN_MS)),
    loadPart(() => import("./sound-synth.ts")),
  ]);
  return { audio, playOn };
}

function wake(audio: AudioContext): AudioContext {
  // Refused while the call lasts: the touch after it wakes it.
  if (audio.state !== "running") audio.resume().catch(() => {});
  return audio;
}

addEventListener("pointermove", prepare);
addEventListener("pointerup", unlock);
addEventListener("keydown", unlock);
if (navigator.userActivation?.hasBeenActive === true) unlock();
