import { RELEASE_PLATFORMS, type ReleasePlatform } from "@holo/protocol/release-terms.ts";
import { isVersion } from "./version.ts";

export interface NativeHost {
  readonly platform: ReleasePlatform;
  /** The version of the app, not of the page: "1.2.3". */
  readonly version: string;
  readonly isFallback: boolean;
}

/** What a host exposes to the page. Untrusted: it only decides which download is offered. */
export interface HostSignals {
  readonly userAgent: string;
  /**
   * The query of the address: `?native=windows&nativeVersion=1.2.3` after a fallback to a browser.
   */
  readonly search: string;
}

const AGENT = /(?:^|\s)HoloNative\/(\S+) \((\w+)\)(?=\s|$)/;
const PLATFORM_KEY = "native";
const VERSION_KEY = "nativeVersion";
const KEPT_KEY = "holo.native-host";

let host: NativeHost | null = null;

export function currentNativeHost(): NativeHost | null {
  return host;
}

/**
 * Runs once before the page is shown. A fallback host appears only in the address; it is kept until
 * the tab closes, and removed from the address so that copied links lack it.
 */
export function detectNativeHost(): void {
  const query = new URLSearchParams(location.search);
  const isNamed = query.has(PLATFORM_KEY) || query.has(VERSION_KEY);
  const fromAddress = toNativeHost({ userAgent: navigator.userAgent, search: location.search });
  host = fromAddress ?? toNativeHost({ userAgent: "", search: loadSaved() });
  if (!isNamed) return;
  if (fromAddress?.isFallback === true) save(location.search);
  query.delete(PLATFORM_KEY);
  query.delete(VERSION_KEY);
  const rest = query.size === 0 ? "" : `?${query}`;
  history.replaceState(history.state, "", `${location.pathname}${rest}${location.hash}`);
}

/** Most trustworthy source first. Malformed values count as absent. */
export function toNativeHost({ userAgent, search }: HostSignals): NativeHost | null {
  const [, agentVersion, agentPlatform] = AGENT.exec(userAgent) ?? [];
  const query = new URLSearchParams(search);
  return toHost(agentPlatform, agentVersion, false) ?? toHost(query.get(PLATFORM_KEY), query.get(VERSION_KEY), true);
}

function toHost(platform: unknown, version: unknown, isFallback: boolean): NativeHost | null {
  const known = RELEASE_PLATFORMS.find((candidate) => candidate === platform);
  return known !== undefined && typeof version === "string" && isVersion(version)
    ? { platform: known, version, isFallback }
    : null;
}

function loadSaved(): string {
  try {
    return sessionStorage.getItem(KEPT_KEY) ?? "";
  } catch {
    // Storage is blocked: the host is forgotten at the next load.
    return "";
  }
}

function save(search: string): void {
  try {
    sessionStorage.setItem(KEPT_KEY, search);
  } catch {
    // See `loadSaved`.
  }
}
