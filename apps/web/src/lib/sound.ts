import { loadPart } from "./part.ts";
import type { Sound } from "./sound-synth.ts";
import { isSwitchedOn } from "./switches.ts";

type PlayOn = (context: AudioContext, sound: Sound, count: number) => void;

/** What somebody else says: the switch of notifications silences it too (ruling 29). */
const CALLS: ReadonlySet<Sound> = new Set(["chat", "offer"]);

let context: AudioContext | null = null;
/** On its way from the first touch on. */
let synth: Promise<PlayOn> | null = null;
/** What would sound later than this tells of something that is past. */
const LATE_MS = 1_000;

/** Plays a sound, unless the player switched sounds off or has not touched the page yet. @param count how many pieces a capture takes */
export function playSound(sound: Sound, count = 1): void {
  if (context === null || synth === null || !isSwitchedOn("sound")) return;
  if (CALLS.has(sound) && !isSwitchedOn("notifications")) return;
  const audio = context;
  const askedAtMs = performance.now();
  void synth.then(
    (play) => {
      if (performance.now() - askedAtMs > LATE_MS) return;
      // In a task of its own: making the tones is no part of the press that asked for them.
      setTimeout(() => play(audio, sound, count));
    },
    // A part of a build that is gone: the game goes on without sounds.
    () => {},
  );
}

/** The first that a browser makes starts its audio, which holds the page up for longer than a press may take. */
function open(): AudioContext {
  context ??= new AudioContext({ latencyHint: "interactive" });
  return context;
}

/** Browsers let a page sound only after its first touch; the sounds themselves are loaded then. */
function unlock(): void {
  removeEventListener("pointerdown", unlock);
  removeEventListener("keydown", unlock);
  void open().resume();
  synth = loadPart(() => import("./sound-synth.ts")).then(({ playOn }) => playOn);
}

if (navigator.userActivation?.hasBeenActive === true) unlock();
else {
  addEventListener("pointerdown", unlock);
  addEventListener("keydown", unlock);
  // while the page still loads, so that the touch, which lifts a piece, has nothing left to wait for
  setTimeout(open);
}
