import { isIP } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { toReachableHost } from "../../sandbox/src/machine.ts";
import { findMisspelt } from "./config-names.ts";
import type { FilesLocation } from "./platform/files/files.ts";

export type Mode = "development" | "test" | "production";

/** The environment, parsed once at the start. Null values have a stand-in outside production. */
export interface Config {
  readonly mode: Mode;
  readonly port: number;
  /** The address to listen on; null: all addresses of the machine. */
  readonly host: string | null;
  readonly metrics: {
    readonly address: { readonly port: number; readonly host: string } | null;
    readonly token: string | null;
  };
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL in DATA_DIR. */
  readonly databaseUrl: string | null;
  /** Null: the only server of its database. */
  readonly nats: { readonly url: string; readonly credentialsFile: string | null } | null;
  /** Null: no traces. `share` is the share of commands that are traced, from 0 to 1. */
  readonly traces: { readonly endpoint: string; readonly share: number } | null;
  /** The public origin, without a trailing slash. */
  readonly publicUrl: string;
  readonly ownerEmail: string;
  /** Null: created at the first start and kept in DATA_DIR. */
  readonly authSecret: string | null;
  /** Null: mails are written to DATA_DIR/outbox. */
  readonly smtpUrl: string | null;
  /** Null: the sandbox provider. */
  readonly paystack: { readonly secretKey: string; readonly url: string } | null;
  /** Whether players pay the provider's fee of their deposits; else the platform does. */
  readonly payerBearsFee: boolean;
  /** How many withdrawals a player can make in 24 hours (ruling 37). */
  readonly withdrawalsPerDay: number;
  readonly retentionDays: number;
  readonly files: FilesLocation;
  readonly supportEmail: string;
  /** Opens a conversation with support; accepts a prefilled `text`. Null: a page that says so. */
  readonly supportMessagingUrl: string | null;
  readonly trustedProxies: readonly string[];
  /**
   * Whether browsers keep the page for offline use. If not, existing service workers are removed.
   */
  readonly hasWorker: boolean;
  /** Links and phone numbers in the chat. */
  readonly masksContacts: boolean;
  /** SHA-256 digests of the Android app's signing certificates: 32 bytes, AB:CD:.. */
  readonly androidCertificates: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

const PAYSTACK_URL = "https://api.paystack.co";
const LIVE_KEY = "sk_live_";
const LOOPBACK = "127.0.0.1";
const AUTH_SECRET_LENGTH_MIN = 32;
const EMAIL = /^[^\s@,<>]+@[^\s@,<>]+\.[^\s@,<>]+$/;
/** Reserved for documentation and tests (RFC 2606): no one reads mail there. */
const RESERVED_EMAIL = /[@.](example\.(com|net|org)|example|test|invalid|localhost)$/i;

/** NATS gets user and password decoded. PostgreSQL's and the mail library accept a lone %. */
function hasReadableUser({ protocol, username, password }: URL): boolean {
  const isNats = protocol === "nats:" || protocol === "tls:";
  return !isNats || [username, password].every((text) => text === "" || decode(text) !== "");
}

/** What examples and templates contain in place of a value. */
const PLACEHOLDER =
  /\.\.\.|…|<[^>]*>|(?<![a-z0-9])((change|replace)[-_ ]?(me|this)|your[-_ ]?(domain|e?mail|host|key|name|password|secret|server|site)|placeholder|to-?do|x{3,12})(?![a-z0-9])/i;

const QUOTED = /^(["']).*\1$/s;
/** These may name no host: the database or folder is on this machine. */
const HOSTLESS = ["postgres:", "postgresql:", "file:"];

/** PostgreSQL's library, ours and NATS's client choose none of them. */
function namesSeveralHosts(value: string): boolean {
  const authority = /\/\/([^/?#]*)/.exec(value)?.[1] ?? "";
  const asked = URL.canParse(value) ? new URL(value).searchParams.getAll("host") : [];
  return authority.slice(authority.lastIndexOf("@") + 1).includes(",") || asked.join(" ").includes(",");
}

/** True for `smtps://` and `smtps://user@:465`. `URL` accepts the first. */
function lacksHost(value: string): boolean {
  const authority = /\/\/([^/?#]*)/.exec(value)?.[1] ?? "";
  return /^(:\d*)?$/.test(authority.slice(authority.lastIndexOf("@") + 1));
}

/** Reads variables and collects all faults, so that they can be fixed at once. */
class Reader {
  readonly faults = new Set<string>();
  /** The names of all variables that were read. */
  readonly names = new Set<string>();
  readonly #placeholders = new Set<string>();
  readonly mode: Mode;
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.mode = this.#mode();
  }

  /** An empty variable counts as unset: shells and compose files often leave empty ones. */
  text(name: string): string | null {
    this.names.add(name);
    const written = this.#environment[name]?.trim() ?? "";
    // A shell removes quotes and Podman keeps them. A secret that is in use cannot change.
    const isQuoted = QUOTED.test(written) && name !== "AUTH_SECRET";
    if (isQuoted) this.fault(name, "is in quotes, which count as part of the value: write it without them");
    const value = isQuoted ? written.slice(1, -1).trim() : written;
    if (PLACEHOLDER.test(value)) {
      this.fault(name, "is a placeholder: write the real value");
      this.#placeholders.add(name);
    }
    return value === "" ? null : value;
  }

  fault(name: string, what: string): void {
    // What else is wrong with a placeholder does not matter.
    if (!this.#placeholders.has(name)) this.faults.add(`${name} ${what}`);
  }

  #mode(): Mode {
    const value = this.text("NODE_ENV") ?? "development";
    if (value === "development" || value === "test" || value === "production") return value;
    this.fault("NODE_ENV", "must be development, test or production");
    return "production";
  }

  /** Required in production; null if unset elsewhere. */
  real(name: string): string | null {
    const value = this.text(name);
    if (value === null && this.mode === "production") this.fault(name, "is missing");
    return value;
  }

  port(name: string, value: string): number {
    const port = Number(value);
    if (/^\d{1,5}$/.test(value) && port <= 65_535) return port;
    this.fault(name, "must be a whole number from 0 to 65535");
    return 0;
  }

  url(name: string, value: string | null, protocols: readonly string[]): string | null {
    if (value === null) return null;
    const isUrl = URL.canParse(value) && hasReadableUser(new URL(value));
    const protocol = protocols.find((one) => value.toLowerCase().startsWith(one));
    if (protocol === undefined || (protocol !== "file:" && !value.startsWith("//", protocol.length)))
      this.fault(name, `must be a URL that begins with ${protocols.join("// or ")}//`);
    else if (namesSeveralHosts(value))
      this.fault(name, "names several hosts: name one address, which moves with the service");
    else if (lacksHost(value) && !(isUrl && HOSTLESS.includes(protocol))) this.fault(name, "names no host");
    else if (!isUrl) this.fault(name, "is not a valid URL: URL-encode user and password, for example / as %2F");
    return value;
  }

  email(name: string, standIn: string): string {
    const value = this.real(name);
    if (value === null) return standIn;
    if (!EMAIL.test(value)) this.fault(name, "must be an e-mail address");
    else if (this.mode === "production" && RESERVED_EMAIL.test(value))
      this.fault(name, "must not be at a reserved domain such as example.com");
    return value.toLowerCase();
  }
}

/** Addresses under which a browser of this machine finds the server at `localhost`. */
const LOCAL_HOSTS: readonly (string | null)[] = [null, "0.0.0.0", "::", LOOPBACK, "::1", "localhost"];

function readPublicUrl(reader: Reader, port: number, host: string | null): string {
  const protocols = reader.mode === "production" ? ["https:"] : ["https:", "http:"];
  const value =
    reader.url("PUBLIC_URL", reader.real("PUBLIC_URL"), protocols) ??
    `http://${LOCAL_HOSTS.includes(host) ? "localhost" : toReachableHost(host)}:${port}`;
  if (!URL.canParse(value)) return value;
  const { origin, username, password, pathname, search, hash } = new URL(value);
  if (username !== "" || password !== "") reader.fault("PUBLIC_URL", "must be an origin, without a user");
  if (pathname !== "/" || search !== "" || hash !== "") reader.fault("PUBLIC_URL", "must be an origin, without a path");
  return origin;
}

function readAuthSecret(reader: Reader): string | null {
  const value = reader.real("AUTH_SECRET");
  if (value !== null && value.length < AUTH_SECRET_LENGTH_MIN) {
    reader.fault("AUTH_SECRET", `must have at least ${AUTH_SECRET_LENGTH_MIN} characters`);
  }
  return value;
}

function readPaystack(reader: Reader): Config["paystack"] {
  const secretKey = reader.real("PAYSTACK_SECRET_KEY");
  const url = (reader.url("PAYSTACK_URL", reader.text("PAYSTACK_URL"), ["https:", "http:"]) ?? PAYSTACK_URL).replace(
    /\/+$/,
    "",
  );
  if (secretKey !== null && !secretKey.startsWith("sk_")) reader.fault("PAYSTACK_SECRET_KEY", "must begin with sk_");
  if (reader.mode !== "production" && secretKey?.startsWith(LIVE_KEY))
    reader.fault("PAYSTACK_SECRET_KEY", "is a live key, which needs NODE_ENV=production");
  if (reader.mode === "production") {
    if (secretKey?.startsWith("sk_test_")) reader.fault("PAYSTACK_SECRET_KEY", "is a test key");
    if (url !== PAYSTACK_URL) reader.fault("PAYSTACK_URL", `must be ${PAYSTACK_URL}, or unset`);
  }
  return secretKey === null ? null : { secretKey, url };
}

function readFeePayer(reader: Reader): boolean {
  const value = reader.text("DEPOSIT_FEE_PAYER") ?? "platform";
  if (value !== "platform" && value !== "player") reader.fault("DEPOSIT_FEE_PAYER", "must be platform or player");
  return value === "player";
}

function readWithdrawalsPerDay(reader: Reader): number {
  const value = reader.text("WITHDRAWALS_PER_DAY") ?? "3";
  if (!/^[1-9][0-9]?$/.test(value)) reader.fault("WITHDRAWALS_PER_DAY", "must be a whole number from 1 to 99");
  return Number(value);
}

const RETENTION_DAYS_MIN = 30;

/**
 * The minimum is days, because a page may repeat a command, and a provider a webhook, days later.
 */
function readRetentionDays(reader: Reader): number {
  const value = reader.text("RETENTION_DAYS") ?? "180";
  const days = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (days < RETENTION_DAYS_MIN)
    reader.fault("RETENTION_DAYS", `must be a whole number from ${RETENTION_DAYS_MIN} to 9999`);
  return days;
}

/** Empty if it cannot be decoded. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return "";
    throw error;
  }
}

/** Null if it names no folder: `URL` reads `file:files` as `/files`, and `file://` as `/`. */
function toFolder(value: string, url: URL): string | null {
  const isReadable = decode(url.pathname) !== "" && !/%(2f|00)/i.test(url.pathname);
  return /^file:\/\/\/./.test(value) && url.search === "" && isReadable ? fileURLToPath(url) : null;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^([a-z0-9][a-z0-9.-]*\/)*$/;
const REGION = /^[a-z0-9-]{1,40}$/;

/**
 * `file:///folder`, or `s3://key:secret@bucket/prefix?region=..&endpoint=..`. The default endpoint
 * is Amazon's.
 */
function readFiles(reader: Reader, dataDir: string): FilesLocation {
  const inDataDir: FilesLocation = { type: "disk", folder: path.join(dataDir, "files") };
  const value = reader.url("FILES_URL", reader.text("FILES_URL"), ["file:", "s3:"]);
  if (value === null || !URL.canParse(value)) return inDataDir;
  const url = new URL(value);
  if (url.protocol === "file:") {
    const folder = toFolder(value, url);
    if (folder !== null) return { type: "disk", folder };
    reader.fault("FILES_URL", "must name a folder of this machine, as file:///folder");
    return inDataDir;
  }
  if (url.protocol !== "s3:") return inDataDir;
  const region = url.searchParams.get("region") ?? "";
  const endpoint = (url.searchParams.get("endpoint") ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, "");
  const folder = url.pathname.replace(/^\/+|\/+$/g, "");
  const prefix = folder === "" ? "" : `${folder}/`;
  const [accessKeyId, secretAccessKey] = [decode(url.username), decode(url.password)];
  if (accessKeyId === "" || secretAccessKey === "")
    reader.fault("FILES_URL", "must carry key and secret, as s3://key:secret@bucket");
  if (!BUCKET.test(url.host) || !PREFIX.test(prefix))
    reader.fault("FILES_URL", "must name a bucket, and may name a folder in it");
  if (!REGION.test(region)) reader.fault("FILES_URL", "must name a region, as ?region=af-south-1");
  const protocols = reader.mode === "production" ? ["https:"] : ["https:", "http:"];
  if (!URL.canParse(endpoint) || !protocols.includes(new URL(endpoint).protocol)) {
    reader.fault("FILES_URL", `must have an endpoint that begins with ${protocols.join("// or ")}//`);
  }
  return {
    type: "s3",
    endpoint,
    region,
    bucket: url.host,
    prefix,
    accessKeyId,
    secretAccessKey,
    draftsFolder: path.join(dataDir, "drafts"),
  };
}

/** On by default. */
function readSwitch(reader: Reader, name: string): boolean {
  const value = reader.text(name) ?? "on";
  if (value !== "on" && value !== "off") reader.fault(name, "must be on or off");
  return value !== "off";
}

/** Accepts digests with or without colons, in either case. */
function readAndroidCertificates(reader: Reader): readonly string[] {
  const listed = (reader.text("ANDROID_CERT_SHA256") ?? "").split(",").map((one) => one.replace(/[:\s]/g, ""));
  const certificates = listed.filter((certificate) => certificate !== "");
  if (!certificates.every((certificate) => /^[0-9a-f]{64}$/i.test(certificate))) {
    reader.fault("ANDROID_CERT_SHA256", "must be SHA-256 digests of certificates, separated by commas");
  }
  return certificates.map((certificate) => certificate.toUpperCase().match(/../g)?.join(":") ?? "");
}

/**
 * Behind a proxy production listens on loopback only, so that players cannot write
 * X-Forwarded-For themselves.
 */
function readHost(reader: Reader, proxies: readonly string[]): string | null {
  const value = reader.text("HOST");
  if (value === null) return reader.mode === "production" && proxies.length > 0 ? LOOPBACK : null;
  if (isIP(value) === 0 && value !== "localhost") reader.fault("HOST", "must be an address of this machine");
  return value;
}

/** Several servers must share files, secret and database. */
function readNats(reader: Reader): Config["nats"] {
  const url = reader.url("NATS_URL", reader.text("NATS_URL"), ["nats:", "tls:"]);
  const credentialsFile = reader.text("NATS_CREDS");
  if (url === null) return null;
  // Production requires the others in any case.
  const shared = reader.mode === "production" ? ["FILES_URL"] : ["DATABASE_URL", "AUTH_SECRET"];
  for (const name of shared)
    if (reader.text(name) === null) reader.fault(name, "is missing: servers with NATS_URL share it");
  return { url, credentialsFile };
}

/** OpenTelemetry's names, so that its exporter's other variables apply too. */
function readTraces(reader: Reader): Config["traces"] {
  const name = "OTEL_EXPORTER_OTLP_ENDPOINT";
  const endpoint = reader.url(name, reader.text(name), ["http:", "https:"]);
  const share = Number(reader.text("OTEL_TRACES_SAMPLER_ARG") ?? "1");
  if (!(share >= 0 && share <= 1)) reader.fault("OTEL_TRACES_SAMPLER_ARG", "must be a number from 0 to 1");
  return endpoint === null ? null : { endpoint, share };
}

const METRICS_TOKEN_LENGTH_MIN = 16;

/** Their own port is on loopback unless HOST says otherwise. */
function readMetrics(reader: Reader, port: number): Config["metrics"] {
  const token = reader.text("METRICS_TOKEN");
  if (token !== null && token.length < METRICS_TOKEN_LENGTH_MIN)
    reader.fault("METRICS_TOKEN", `must have at least ${METRICS_TOKEN_LENGTH_MIN} characters`);
  const written = reader.text("METRICS_PORT");
  if (written === null) return { address: null, token };
  const own = reader.port("METRICS_PORT", written);
  if (own === port && own !== 0) reader.fault("METRICS_PORT", "must not be PORT");
  return { address: { port: own, host: reader.text("HOST") ?? LOOPBACK }, token };
}

const NO_PROXIES = "none";

/** Production must say `none`: a forgotten proxy would make all players one address. */
function readTrustedProxies(reader: Reader): readonly string[] {
  const value = reader.real("TRUSTED_PROXIES") ?? NO_PROXIES;
  if (value === NO_PROXIES) return [];
  const listed = value.split(",").map((proxy) => proxy.trim());
  const proxies = listed.filter((proxy) => proxy !== "");
  const isNetwork = (proxy: string): boolean => {
    const [address = "", bits, ...rest] = proxy.split("/");
    const isBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 6 ? 128 : 32));
    return isIP(address) !== 0 && isBits && rest.length === 0;
  };
  if (proxies.length === 0 || !proxies.every(isNetwork))
    reader.fault("TRUSTED_PROXIES", "must be addresses or networks, separated by commas");
  return proxies;
}

/** Without the other variables of the server. Unknown names stay, since they may be misspelt. */
export function selectVariables(environment: Environment, names: readonly string[]): Environment {
  const reader = new Reader({});
  read(reader);
  const others = new Set([...reader.names].filter((name) => !names.includes(name)));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !others.has(name)));
}

/**
 * Returns the configuration or all faults, each a sentence that begins with the variable's name.
 * Faults contain no values, which may be secrets.
 */
export function parseConfig(environment: Environment): Result<Config, readonly string[]> {
  const reader = new Reader(environment);
  const config = read(reader);
  const given = Object.keys(environment).filter((name) => environment[name]?.trim());
  for (const { name, meant } of findMisspelt(given, reader.names))
    reader.fault(name, `is unknown: did you mean ${meant}? Correct its name, or unset it`);
  return reader.faults.size === 0 ? ok(config) : refuse([...reader.faults]);
}

function read(reader: Reader): Config {
  const port = reader.port("PORT", reader.text("PORT") ?? "3000");
  const dataDir = reader.text("DATA_DIR") ?? "./data";
  const trustedProxies = readTrustedProxies(reader);
  const host = readHost(reader, trustedProxies);
  return {
    mode: reader.mode,
    port,
    host,
    metrics: readMetrics(reader, port),
    dataDir,
    databaseUrl: reader.url("DATABASE_URL", reader.real("DATABASE_URL"), ["postgres:", "postgresql:"]),
    nats: readNats(reader),
    traces: readTraces(reader),
    publicUrl: readPublicUrl(reader, port, host),
    ownerEmail: reader.email("OWNER_EMAIL", "owner@example.com"),
    authSecret: readAuthSecret(reader),
    smtpUrl: reader.url("SMTP_URL", reader.real("SMTP_URL"), ["smtp:", "smtps:"]),
    paystack: readPaystack(reader),
    payerBearsFee: readFeePayer(reader),
    withdrawalsPerDay: readWithdrawalsPerDay(reader),
    retentionDays: readRetentionDays(reader),
    files: readFiles(reader, dataDir),
    supportEmail: reader.email("SUPPORT_EMAIL", "support@example.com"),
    supportMessagingUrl: reader.url("SUPPORT_MESSAGING_URL", reader.real("SUPPORT_MESSAGING_URL"), ["https:"]),
    trustedProxies,
    hasWorker: readSwitch(reader, "OFFLINE_PAGE"),
    masksContacts: readSwitch(reader, "CHAT_MASK_CONTACTS"),
    androidCertificates: readAndroidCertificates(reader),
  };
}
