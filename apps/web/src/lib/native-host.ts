import { RELEASE_PLATFORMS, type ReleasePlatform } from "@holo/protocol/release-views.ts";
import { isVersion } from "./version.ts";

/** The native app around this page. */
export interface NativeHost {
  readonly platform: ReleasePlatform;
  /** Of the app, not of the page: "1.2.3". */
  readonly version: string;
  /** It could not show the page itself and opened it in a browser. */
  readonly isFallback: boolean;
}

/** What a host leaves for the page to see. Nothing of it is to be trusted with more than which download is offered. */
export interface HostTraces {
  readonly userAgent: string;
  /** `window.HoloNative`, with `platform` and `version`: values, or methods as Android's bridges have nothing else. */
  readonly bridge: unknown;
  /** Of the address: `?native=windows&nativeVersion=1.2.3`, as a host opens the page that fell back to a browser. */
  readonly search: string;
}

const AGENT = /(?:^|\s)HoloNative\/(\S+) \((\w+)\)(?=\s|$)/;
const PLATFORM_KEY = "native";
const VERSION_KEY = "nativeVersion";
const KEPT_KEY = "holo.native-host";

let host: NativeHost | null = null;

/** Null in a browser that nobody but the player opened. */
export function currentNativeHost(): NativeHost | null {
  return host;
}

/**
 * Looks once, before the page is shown, for the host around it. A host that fell back says so in the address alone: that is kept until
 * the tab is closed, and taken out of the address, so that no link somebody copies speaks of their app.
 */
export function meetNativeHost(): void {
  const given = new URLSearchParams(location.search);
  const isNamed = given.has(PLATFORM_KEY) || given.has(VERSION_KEY);
  const bridge = (globalThis as { readonly HoloNative?: unknown }).HoloNative;
  const fromAddress = toNativeHost({ userAgent: navigator.userAgent, bridge, search: location.search });
  host = fromAddress ?? toNativeHost({ userAgent: "", bridge: undefined, search: readKept() });
  if (!isNamed) return;
  if (fromAddress?.isFallback === true) keep(location.search);
  given.delete(PLATFORM_KEY);
  given.delete(VERSION_KEY);
  const rest = given.size === 0 ? "" : `?${given}`;
  history.replaceState(history.state, "", `${location.pathname}${rest}${location.hash}`);
}

/** What can be forged least comes first. What is malformed counts as absent. */
export function toNativeHost({ userAgent, bridge, search }: HostTraces): NativeHost | null {
  const [, agentVersion, agentPlatform] = AGENT.exec(userAgent) ?? [];
  const query = new URLSearchParams(search);
  return (
    toHost(agentPlatform, agentVersion, false) ??
    toHost(readBridge(bridge, "platform"), readBridge(bridge, "version"), false) ??
    toHost(query.get(PLATFORM_KEY), query.get(VERSION_KEY), true)
  );
}

function toHost(platform: unknown, version: unknown, isFallback: boolean): NativeHost | null {
  const known = RELEASE_PLATFORMS.find((candidate) => candidate === platform);
  return known !== undefined && typeof version === "string" && isVersion(version)
    ? { platform: known, version, isFallback }
    : null;
}

function readBridge(bridge: unknown, name: "platform" | "version"): unknown {
  if (typeof bridge !== "object" || bridge === null) return undefined;
  const member: unknown = (bridge as Readonly<Record<string, unknown>>)[name];
  // called apart from its object, a method of Android's refuses
  return typeof member === "function" ? Reflect.apply(member, bridge, []) : member;
}

function readKept(): string {
  try {
    return sessionStorage.getItem(KEPT_KEY) ?? "";
  } catch {
    // Storage is closed to this page, which then forgets its host with the next load.
    return "";
  }
}

function keep(search: string): void {
  try {
    sessionStorage.setItem(KEPT_KEY, search);
  } catch {
    // As above.
  }
}
