interface Words {
  readonly pattern: RegExp;
  readonly name: string;
}

/** Most browsers also claim to be others; the first match counts. */
const BROWSERS: readonly Words[] = [
  { pattern: /HoloNative\//, name: "Holo Arena app" },
  { pattern: /Edg(e|A|iOS)?\//, name: "Edge" },
  { pattern: /OPR\/|Opera/, name: "Opera" },
  { pattern: /SamsungBrowser\//, name: "Samsung Internet" },
  { pattern: /Firefox\/|FxiOS\//, name: "Firefox" },
  { pattern: /Chrome\/|CriOS\//, name: "Chrome" },
  { pattern: /Safari\//, name: "Safari" },
];

const MACHINES: readonly Words[] = [
  { pattern: /iPhone/, name: "iPhone" },
  { pattern: /iPad/, name: "iPad" },
  { pattern: /Android|HoloNative\/\S+ \(android\)/, name: "Android" },
  { pattern: /Windows|HoloNative\/\S+ \(windows\)/, name: "Windows" },
  { pattern: /Macintosh|Mac OS X/, name: "Mac" },
  { pattern: /CrOS/, name: "Chromebook" },
  { pattern: /Linux/, name: "Linux" },
];

function findName(words: readonly Words[], userAgent: string): string | null {
  return words.find(({ pattern }) => pattern.test(userAgent))?.name ?? null;
}

/** "Chrome on Android", by the browser's own claim. */
export function toDevice(userAgent: string): string {
  const browser = findName(BROWSERS, userAgent);
  const machine = findName(MACHINES, userAgent);
  if (browser === null) return machine ?? "Unknown device";
  return machine === null ? browser : `${browser} on ${machine}`;
}
