import type { ReleasePlatform } from "@holo/protocol/release-terms.ts";

interface PlatformWords {
  readonly name: string;
  readonly ending: ".exe" | ".apk";
  /** From the specification. */
  readonly download: string;
  readonly install: string;
}

export const PLATFORM_WORDS: Readonly<Record<ReleasePlatform, PlatformWords>> = {
  windows: {
    name: "Windows",
    ending: ".exe",
    download: "Download Windows EXE",
    install: "Close this app and open the file once it is there.",
  },
  android: {
    name: "Android",
    ending: ".apk",
    download: "Download Android APK",
    install: "Open the file once it is there. Your login stays.",
  },
};
