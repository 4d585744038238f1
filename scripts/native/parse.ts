/** Parses the arguments of `npm run native -- …`. */
import { parseArgs } from "node:util";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { HOSTS, type HostName } from "./host.ts";

export type NativeCommand =
  | { readonly type: "build"; readonly host: HostName; readonly origin: string; readonly version: string }
  | { readonly type: "test"; readonly hosts: readonly HostName[] };

export const USAGE = `npm run native -- android|windows --origin https://arena.example --version 1.2.3
npm run native -- test [android|windows]
`;

/** Hosts that http is allowed for: this machine, also as an Android emulator addresses it. */
const LOCAL_HOSTS = ["localhost", "127.0.0.1", "10.0.2.2"];

/** Letters, digits and hyphens only, because the host is inserted into manifests and scripts. */
const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

/** Returns the command, or a message for the user. */
export function parseNativeCommand(words: readonly string[]): Result<NativeCommand, string> {
  const given = parseArguments(words);
  if (!given.ok) return given;
  const { positionals, values } = given.value;
  const [verb, ...rest] = positionals;
  if (verb === "test") return Object.keys(values).length > 0 ? refuse("test takes no options") : parseTest(rest);
  if (!isHost(verb)) return refuse(verb === undefined ? "say what to build" : `there is no ${verb} to build`);
  if (rest.length > 0) return refuse(`${rest.join(" ")} makes no sense after ${verb}`);
  const origin = parseOrigin(values.origin);
  if (!origin.ok) return origin;
  const version = parseVersion(values.version);
  if (!version.ok) return version;
  return ok({ type: "build", host: verb, origin: origin.value, version: version.value });
}

interface ParsedArguments {
  readonly positionals: readonly string[];
  readonly values: { readonly origin?: string; readonly version?: string };
}

function parseArguments(words: readonly string[]): Result<ParsedArguments, string> {
  const options = { origin: { type: "string" }, version: { type: "string" } } as const;
  try {
    return ok(parseArgs({ args: [...words], options, allowPositionals: true }));
  } catch (error) {
    // parseArgs throws on unknown options, with a message.
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function parseTest(names: readonly string[]): Result<NativeCommand, string> {
  const foreign = names.find((name) => !isHost(name));
  if (foreign !== undefined) return refuse(`there is no ${foreign} to test`);
  return ok({ type: "test", hosts: names.length === 0 ? HOSTS : names.filter(isHost) });
}

function isHost(name: string | undefined): name is HostName {
  return HOSTS.some((host) => host === name);
}

/** The origin that a host trusts, in canonical spelling, because hosts compare it by character. */
function parseOrigin(text: string | undefined): Result<string, string> {
  if (text === undefined) return refuse("say which site it opens: --origin https://arena.example");
  if (!URL.canParse(text)) return refuse(`${text} is no address`);
  const { protocol, hostname, origin } = new URL(text);
  const isAtHand = LOCAL_HOSTS.includes(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isAtHand)) {
    return refuse(`the origin must be https (http only to ${LOCAL_HOSTS.join(", ")}, in development)`);
  }
  if (!HOST.test(hostname)) return refuse(`${hostname} is no name of a host that a build can carry`);
  if (text !== origin) return refuse(`the origin must stand alone, as ${origin}: no path, no user, no more letters`);
  return ok(origin);
}

function parseVersion(text: string | undefined): Result<string, string> {
  if (text === undefined) return refuse("say which version it is: --version 1.2.3");
  const isVersion = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){2}$/.test(text) && text !== "0.0.0";
  return isVersion
    ? ok(text)
    : refuse("the version must be three numbers from 0 to 999, as 1.2.3, and more than 0.0.0");
}
