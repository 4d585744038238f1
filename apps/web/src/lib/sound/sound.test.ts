import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stubStorage } from "../testing/stub-storage.ts";

/** The browser's audio in a state that the test sets. Its time advances only while it runs. */
class Audio {
  state: "suspended" | "running" | "interrupted" = "suspended";
  readonly currentTime = 0;
  readonly destination = {};
  mayRun = true;

  constructor() {
    audio = this;
  }

  async resume(): Promise<void> {
    if (this.state === "interrupted") throw new DOMException("interrupted", "InvalidStateError");
    if (this.mayRun) this.state = "running";
    else await new Promise<void>((resolve) => held.push(resolve));
  }

  async suspend(): Promise<void> {
    if (this.state === "interrupted") throw new DOMException("interrupted", "InvalidStateError");
    this.state = "suspended";
  }

  createOscillator() {
    const voice = { frequency: param(), connect: () => ({ connect: () => undefined }), start: () => undefined };
    return Object.assign(voice, { stop: () => (tones += 1) });
  }

  createGain() {
    return { gain: param() };
  }
}

const param = () => ({ setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined });

let audio: Audio | null = null;
let held: (() => void)[] = [];
let tones = 0;
let down: EventTarget;
let up: EventTarget;
let sight: { visibilityState: string };
let kept: Map<string, string>;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  audio = null;
  held = [];
  tones = 0;
  down = new EventTarget();
  up = new EventTarget();
  sight = { visibilityState: "visible" };
  vi.stubGlobal("addEventListener", (type: string, listener: () => void, { capture = false } = {}) => {
    (capture ? down : up).addEventListener(type, listener);
  });
  vi.stubGlobal("removeEventListener", (type: string, listener: () => void) => up.removeEventListener(type, listener));
  vi.stubGlobal("document", sight);
  vi.stubGlobal("AudioContext", Audio);
  kept = stubStorage("localStorage");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function act(type: string, atTarget = () => {}): void {
  const toEvent = () => Object.assign(new Event(type), { pointerType: "touch" });
  down.dispatchEvent(toEvent());
  atTarget();
  up.dispatchEvent(toEvent());
}

async function touch() {
  const sound = await import("./sound.ts");
  act("pointerup");
  await vi.advanceTimersByTimeAsync(100);
  await import("./sound-synth.ts");
  await vi.advanceTimersByTimeAsync(0);
  return sound;
}

describe("sounds", () => {
  it("are silent, without audio, before the first touch", async () => {
    const { playSound } = await import("./sound.ts");
    act("pointermove");
    playSound("start");
    await vi.advanceTimersByTimeAsync(2_000);
    expect([audio, tones]).toEqual([null, 0]);
  });

  it("begin with what the first touch caused", async () => {
    const { playSound } = await import("./sound.ts");
    act("pointerup", () => playSound("low_time"));
    await vi.advanceTimersByTimeAsync(100);
    await import("./sound-synth.ts");
    await vi.advanceTimersByTimeAsync(0);
    expect(tones).toBe(1);
  });

  it("are not queued during a call, and return with the next touch", async () => {
    const { playSound } = await touch();
    audio!.state = "interrupted";
    for (let tick = 0; tick < 5; tick += 1) {
      playSound("low_time");
      await vi.advanceTimersByTimeAsync(2_000);
    }
    audio!.state = "suspended";
    act("pointerup");
    await vi.advanceTimersByTimeAsync(0);
    expect(tones).toBe(0);
    playSound("low_time");
    await vi.advanceTimersByTimeAsync(0);
    expect(tones).toBe(1);
  });

  it("play when audio resumes soon, and are dropped otherwise", async () => {
    const { playSound } = await touch();
    Object.assign(audio!, { state: "suspended", mayRun: false });
    const release = () => {
      audio!.state = "running";
      for (const resolve of held.splice(0)) resolve();
    };
    for (let tick = 0; tick < 5; tick += 1) playSound("low_time");
    await vi.advanceTimersByTimeAsync(1_500);
    playSound("chat");
    await vi.advanceTimersByTimeAsync(500);
    release();
    await vi.advanceTimersByTimeAsync(0);
    expect(tones).toBe(2);
  });

  it("suspend the audio after a silence and resume it", async () => {
    const { playSound } = await touch();
    expect(audio!.state).toBe("running");
    await vi.advanceTimersByTimeAsync(4_000);
    playSound("low_time");
    await vi.advanceTimersByTimeAsync(4_000);
    expect(audio!.state).toBe("running");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(audio!.state).toBe("suspended");
    playSound("low_time");
    await vi.advanceTimersByTimeAsync(0);
    expect([audio!.state, tones]).toEqual(["running", 2]);
  });

  it("play at once on a hidden page, and not after it slept", async () => {
    const { playSound } = await touch();
    sight.visibilityState = "hidden";
    playSound("low_time");
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    expect(tones).toBe(1);

    sight.visibilityState = "visible";
    playSound("low_time");
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    vi.setSystemTime(Date.now() + 60_000);
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
    await vi.advanceTimersByTimeAsync(0);
    expect(tones).toBe(1);
  });

  it("are dropped if they are switched off meanwhile", async () => {
    const { playSound } = await touch();
    playSound("low_time");
    kept.set("holo.sound", "off");
    await vi.advanceTimersByTimeAsync(0);
    playSound("low_time");
    await vi.advanceTimersByTimeAsync(0);
    expect(tones).toBe(0);
  });
});
