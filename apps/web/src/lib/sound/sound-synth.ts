import { assertNever } from "@holo/kernel/assert.ts";

/** All sounds are synthesized; none is fetched. */
export type Sound = "start" | "move" | "capture" | "crown" | "low_time" | "chat" | "offer" | "win" | "lose" | "draw";

/** -12 dBFS. */
const PEAK = 0.25;
/** Of the sound that is being composed. */
let peak = PEAK;
const SEMITONE = 2 ** (1 / 12);
const FOURTH = SEMITONE ** 5;
const FIFTH = SEMITONE ** 7;
const KNOCK_HZ = 210;
const A4_HZ = 440;

/** Times in seconds, as in WebAudio. `loudness` is above 0, at most 1. */
export function playOn(context: AudioContext, sound: Sound, count: number, loudness: number): void {
  const now = context.currentTime;
  peak = PEAK * loudness;
  switch (sound) {
    case "start":
      knock(context, now, KNOCK_HZ, 1);
      knock(context, now + 0.16, KNOCK_HZ * FOURTH, 1);
      return;
    case "move":
      knock(context, now, KNOCK_HZ * (0.98 + Math.random() * 0.04), 0.8);
      return;
    case "capture":
      for (let piece = 0; piece < count; piece += 1) {
        const hz = KNOCK_HZ * SEMITONE ** piece;
        knock(context, now + piece * 0.18, hz, 0.9);
        knock(context, now + piece * 0.18 + 0.04, hz * 0.75, 0.7);
      }
      return;
    case "crown":
      knock(context, now, KNOCK_HZ, 0.8);
      brass(context, now + 0.05, A4_HZ);
      brass(context, now + 0.05, A4_HZ * FIFTH);
      return;
    case "low_time":
      tick(context, now);
      return;
    case "chat":
      pluck(context, now, A4_HZ * FIFTH, 0.4, 0.12);
      return;
    case "win":
      pluck(context, now, A4_HZ, 0.8);
      pluck(context, now + 0.14, A4_HZ * SEMITONE ** 4, 0.8);
      pluck(context, now + 0.28, A4_HZ * FIFTH, 0.8);
      ring(context, now + 0.42);
      return;
    case "lose":
      pluck(context, now, A4_HZ * SEMITONE ** -2, 0.5);
      pluck(context, now + 0.22, A4_HZ * SEMITONE ** -5, 0.5);
      return;
    case "draw":
      pluck(context, now, A4_HZ, 0.6);
      pluck(context, now + 0.24, A4_HZ, 0.4);
      return;
    case "offer":
      pluck(context, now, A4_HZ * FOURTH, 0.55);
      pluck(context, now + 0.14, A4_HZ * FOURTH, 0.55);
      return;
    default:
      assertNever(sound);
  }
}

/** A disc on felted wood: a body that drops in pitch, and a short attack. */
function knock(context: AudioContext, at: number, hz: number, level: number): void {
  const body = tone(context, "sine", hz, at, 0.07, level);
  body.frequency.setValueAtTime(hz * 1.6, at);
  body.frequency.exponentialRampToValueAtTime(hz, at + 0.02);
  tone(context, "triangle", hz * 2.7, at, 0.018, level * 0.35);
}

function brass(context: AudioContext, at: number, hz: number): void {
  tone(context, "triangle", hz, at, 0.3, 0.35);
  tone(context, "sine", hz * 2, at, 0.22, 0.15);
}

function tick(context: AudioContext, at: number): void {
  tone(context, "square", 1_900, at, 0.012, 0.18);
}

/** A kalimba tongue: the tone and its metallic overtone. */
function pluck(context: AudioContext, at: number, hz: number, level: number, seconds = 0.42): void {
  tone(context, "sine", hz, at, seconds, level);
  tone(context, "sine", hz * 5.4, at, seconds / 6, level * 0.2);
}

function ring(context: AudioContext, at: number): void {
  tone(context, "sine", 2_637, at, 0.45, 0.25);
  tone(context, "sine", 3_951, at, 0.38, 0.15);
}

function tone(
  context: AudioContext,
  type: OscillatorType,
  hz: number,
  at: number,
  seconds: number,
  level: number,
): OscillatorNode {
  const voice = context.createOscillator();
  const gain = context.createGain();
  voice.type = type;
  voice.frequency.setValueAtTime(hz, at);
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(peak * level, at + 0.003);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  voice.connect(gain).connect(context.destination);
  voice.start(at);
  voice.stop(at + seconds + 0.02);
  return voice;
}
