import path from "node:path";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { z } from "zod";
import { toReachableHost } from "../../sandbox/src/machine.ts";
import { findMisspelt } from "./config/misspelt-names.ts";
import { type Mode, makeVariables, mode as readMode } from "./config/variables.ts";
import type { FilesLocation } from "./platform/files/files.ts";

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
  /** What a member of staff can correct in 24 hours without a second one, in kobo (ruling 58). */
  readonly correctionLimitNaira: number;
  readonly retentionDays: number;
  readonly files: FilesLocation;
  readonly supportEmail: string;
  /** Opens a conversation with support; accepts a prefilled `text`. Null: a page that says so. */
  readonly pushService: string | null;
  readonly supportMessagingUrl: string | null;
  readonly trustedProxies: readonly string[];
  /**
   * Whether browsers keep the page for offline use. If not, existing service workers are removed.
   */
  readonly hasWorker: boolean;
  /** Links and phone numbers in the chat. */
  readonly masksContacts: boolean;
  /** The path of a program that speaks UCI; null: our own engine judges the moves of chess. */
  readonly chessEngine: string | null;
  /** SHA-256 digests of the Android app's signing certificates: 32 bytes, AB:CD:.. */
  readonly androidCertificates: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = "127.0.0.1";
/** Addresses under which a browser of this machine finds the server at `localhost`. */
const LOCAL_HOSTS = [undefined, "0.0.0.0", "::", LOOPBACK, "::1", "localhost"];

/** Without the other variables of the server. Unknown names stay, since they may be misspelt. */
export function selectVariables(environment: Environment, names: readonly string[]): Environment {
  const others = new Set(Object.keys(makeVariables(false).shape).filter((name) => !names.includes(name)));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !others.has(name)));
}

/**
 * Returns the configuration or all faults, each a sentence that begins with the variable's name.
 * Faults contain no values, which may be secrets.
 */
export function parseConfig(environment: Environment): Result<Config, readonly string[]> {
  const given = readGiven(environment);
  const chosen = readMode.safeParse(given.NODE_ENV ?? "development");
  // An unknown mode may be production misspelt.
  const variables = makeVariables(!chosen.success || chosen.data === "production");
  const parsed = variables.safeParse(given);
  const misspelt = findMisspelt(Object.keys(given), Object.keys(variables.shape));
  const faults = [
    ...(parsed.error?.issues ?? []).map(({ path: [name], message }) => `${String(name)} ${message}`),
    ...misspelt.map(({ name, meant }) => `${name} is unknown: did you mean ${meant}? Correct its name, or unset it`),
  ];
  return parsed.success && faults.length === 0 ? ok(toConfig(parsed.data)) : refuse(faults);
}

/** An empty variable counts as unset: shells and compose files often leave empty ones. */
function readGiven(environment: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => {
      const written = value?.trim() ?? "";
      return written === "" ? [] : [[name, written]];
    }),
  );
}

function toConfig(values: z.output<ReturnType<typeof makeVariables>>): Config {
  const { NODE_ENV: mode, PORT: port, HOST: host, DATA_DIR: dataDir, METRICS_PORT, FILES_URL: files } = values;
  const trustedProxies = values.TRUSTED_PROXIES ?? [];
  const isBehindProxy = mode === "production" && trustedProxies.length > 0;
  const { NATS_URL, NATS_CREDS, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = values;
  return {
    mode,
    port,
    // Behind a proxy on loopback only, so that players cannot write X-Forwarded-For themselves.
    host: host ?? (isBehindProxy ? LOOPBACK : null),
    metrics: {
      address: METRICS_PORT === undefined ? null : { port: METRICS_PORT, host: host ?? LOOPBACK },
      token: values.METRICS_TOKEN ?? null,
    },
    dataDir,
    databaseUrl: values.DATABASE_URL ?? null,
    nats: NATS_URL === undefined ? null : { url: NATS_URL, credentialsFile: NATS_CREDS ?? null },
    traces: endpoint === undefined ? null : { endpoint, share: values.OTEL_TRACES_SAMPLER_ARG },
    publicUrl:
      values.PUBLIC_URL ?? `http://${LOCAL_HOSTS.includes(host) ? "localhost" : toReachableHost(host ?? null)}:${port}`,
    ownerEmail: values.OWNER_EMAIL ?? "owner@example.com",
    authSecret: values.AUTH_SECRET ?? null,
    smtpUrl: values.SMTP_URL ?? null,
    paystack:
      values.PAYSTACK_SECRET_KEY === undefined
        ? null
        : { secretKey: values.PAYSTACK_SECRET_KEY, url: values.PAYSTACK_URL },
    payerBearsFee: values.DEPOSIT_FEE_PAYER,
    withdrawalsPerDay: values.WITHDRAWALS_PER_DAY,
    correctionLimitNaira: values.CORRECTION_LIMIT_NAIRA,
    retentionDays: values.RETENTION_DAYS,
    files: toFilesLocation(files, dataDir),
    supportEmail: values.SUPPORT_EMAIL ?? "support@example.com",
    pushService: values.PUSH_SERVICE ?? null,
    supportMessagingUrl: values.SUPPORT_MESSAGING_URL ?? null,
    trustedProxies,
    hasWorker: values.OFFLINE_PAGE,
    masksContacts: values.CHAT_MASK_CONTACTS,
    chessEngine: values.CHESS_ENGINE ?? null,
    androidCertificates: values.ANDROID_CERT_SHA256,
  };
}

function toFilesLocation(
  given: z.output<ReturnType<typeof makeVariables>>["FILES_URL"],
  dataDir: string,
): FilesLocation {
  if (given === undefined) return { type: "disk", folder: path.join(dataDir, "files") };
  return given.type === "disk" ? given : { ...given, draftsFolder: path.join(dataDir, "drafts") };
}
