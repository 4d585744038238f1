import path from "node:path";
import { z } from "zod";
import { filesUrl } from "./files-url.ts";
import { choice, email, host, list, port, secret, text, url, whole } from "./variable-types.ts";

export type Mode = "development" | "test" | "production";

interface Description {
  /** The value outside production. */
  readonly standIn: string;
  readonly meaning: string;
}

const DESCRIPTIONS = z.registry<Description>();

function variable<Schema extends z.ZodType>(standIn: string, meaning: string, schema: Schema): Schema {
  DESCRIPTIONS.add(schema, { standIn, meaning });
  return schema;
}

const PAYSTACK_URL = "https://api.paystack.co";

export const mode = text.pipe(z.enum(["development", "test", "production"], "must be development, test or production"));

/** Production must say `none`: a forgotten proxy would make all players one address. */
const proxies = text.pipe(
  z.union([
    z.literal("none").transform((): string[] => []),
    list(
      (item) => z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).safeParse(item).success,
      "must be addresses or networks, separated by commas",
    ),
  ]),
);

function origin(...protocols: readonly string[]) {
  return url(...protocols)
    .transform((value) => new URL(value))
    .refine(({ username, password }) => username === "" && password === "", "must be an origin, without a user")
    .refine(
      ({ pathname, search, hash }) => pathname === "/" && search === "" && hash === "",
      "must be an origin, without a path",
    )
    .transform((value) => value.origin);
}

/** With or without colons, in either case. */
const certificates = list(
  (item) => /^[0-9a-f]{64}$/i.test(item.replace(/[:\s]/g, "")),
  "must be SHA-256 digests of certificates, separated by commas",
).transform((items) => items.map((item) => item.replace(/[:\s]/g, "").toUpperCase().match(/../g)!.join(":")));

/** The environment of a server. `required` variables have a stand-in outside production only. */
export function makeVariables(isProduction: boolean) {
  const required = <Schema extends z.ZodType>(schema: Schema) => (isProduction ? schema : schema.optional());
  const webProtocols = isProduction ? ["https:"] : ["https:", "http:"];
  const shape = {
    NODE_ENV: variable(
      "`development`",
      "`production` has no stand-ins. `test` is for our tests",
      mode.default("development"),
    ),
    PORT: variable("3000", "HTTP port", port.default(3000)),
    HOST: variable(
      "all addresses",
      "address to listen on, also for the test checkout; production behind a proxy defaults to `127.0.0.1` and needs another one if the proxy runs elsewhere",
      host.optional(),
    ),
    METRICS_TOKEN: variable(
      "none",
      "what a reader of `/metrics` sends as `Authorization: Bearer`; at least 16 characters",
      text.min(16, "must have at least 16 characters").optional(),
    ),
    METRICS_PORT: variable(
      "none",
      "serves `/metrics` on this port alone, which must not be `PORT`; on loopback unless `HOST` is set",
      port.optional(),
    ),
    DATA_DIR: variable(
      "`./data`",
      "folder of the embedded database, of uploaded files and of the files of earlier builds",
      text.default("./data"),
    ),
    DATABASE_URL: variable(
      "embedded PostgreSQL 18 in `DATA_DIR`",
      "PostgreSQL 15 or newer",
      required(url("postgres:", "postgresql:")),
    ),
    PUBLIC_URL: variable(
      "`http://localhost:PORT`",
      "the origin that players use; in production the only one that may open the socket",
      required(origin(...webProtocols)),
    ),
    AUTH_SECRET: variable(
      "generated once, stored in `DATA_DIR`",
      "signs session cookies, encrypts queued mails, gives the key of notices to closed browsers, keys the hashes of registration blocks and traces; at least 32 characters. A database accepts one secret only, until it is [changed](operations/admin.md#change-auth_secret)",
      required(secret.min(32, "must have at least 32 characters")),
    ),
    TRUSTED_PROXIES: variable(
      "`none`",
      "addresses or networks whose `X-Forwarded-For` and `X-Request-Id` are trusted, or `none`",
      required(proxies),
    ),
    SMTP_URL: variable(
      "mails are written as `.eml` files to `DATA_DIR/outbox`",
      "`smtps://user:password@host`, or `smtp://` with STARTTLS; production requires TLS for any other machine",
      required(url("smtp:", "smtps:")),
    ),
    SUPPORT_EMAIL: variable(
      "`support@example.com`",
      "sender and reply address of mails",
      required(email(!isProduction)),
    ),
    PUSH_SERVICE: variable(
      "none",
      "the origin of a push service of your own; those of Chrome, Edge, Firefox and Safari are known",
      origin(...webProtocols).optional(),
    ),
    SUPPORT_MESSAGING_URL: variable(
      "a page that says so",
      "where the Contact page opens messages",
      required(url("https:")),
    ),
    OWNER_EMAIL: variable(
      "`owner@example.com`",
      "the CEO's address; it counts once verified",
      required(email(!isProduction)),
    ),
    PAYSTACK_SECRET_KEY: variable(
      "the sandbox of `apps/sandbox`, started as a child process",
      "the payment provider; a live key is refused outside production",
      required(paystackKey(isProduction)),
    ),
    PAYSTACK_URL: variable(
      `\`${PAYSTACK_URL}\``,
      "another address for tests",
      url("https:", "http:")
        .transform((value) => value.replace(/\/+$/, ""))
        .refine((value) => !isProduction || value === PAYSTACK_URL, `must be ${PAYSTACK_URL}, or unset`)
        .default(PAYSTACK_URL),
    ),
    DEPOSIT_FEE_PAYER: variable(
      "`platform`",
      "`player` adds the provider's fee to a deposit, shown before paying",
      choice("player", "platform").default(false),
    ),
    WITHDRAWALS_PER_DAY: variable(
      "3",
      "how many withdrawals a player can make in 24 hours; those whose coins came back do not count",
      whole(1, 99).default(3),
    ),
    CORRECTION_LIMIT_NAIRA: variable(
      "50000",
      "what one member of staff can correct in 24 hours, in naira, before a second member confirms",
      whole(0, 100_000_000).default(50_000),
    ),
    // A page may repeat a command days later.
    RETENTION_DAYS: variable(
      "180",
      "how long start commands and ended boots are kept; at least 30. See [growth](operations/growth.md)",
      whole(30, 9_999).default(180),
    ),
    CHAT_MASK_CONTACTS: variable(
      "`on`",
      "`off` shows links, email addresses and phone numbers in the chat between players",
      choice("on", "off").default(true),
    ),
    CHESS_ENGINE: variable(
      "our own engine",
      "absolute path of a chess program that speaks UCI with `MultiPV`, such as Stockfish, for [fair play](operations/fair-play.md): it judges moves of ended games",
      text.refine(path.isAbsolute, "must be an absolute path").optional(),
    ),
    OFFLINE_PAGE: variable(
      "`on`",
      "`off` makes browsers delete the offline page and practice and stop storing them",
      choice("on", "off").default(true),
    ),
    FILES_URL: variable(
      "`DATA_DIR/files`",
      "storage of uploaded apps: `file:///folder`, or `s3://key:secret@bucket/folder?region=af-south-1&endpoint=https://...` for an S3-compatible store (key and secret URL-encoded; without `endpoint` Amazon's). Disk is allowed in production if one server runs or all share the folder",
      filesUrl(webProtocols).optional(),
    ),
    ANDROID_CERT_SHA256: variable(
      "none",
      "SHA-256 of the Android app's certificates, so that phones open links to tables in it and uploads signed with another key are refused; see [native.md](native.md)",
      certificates.default([]),
    ),
    NATS_URL: variable(
      "none",
      "`nats://` or `tls://` address of NATS, with `user:password@` if it asks for them: [several servers](operations/several-servers.md) share the database. They need the same `DATABASE_URL`, `AUTH_SECRET` and, in production, `FILES_URL`",
      url("nats:", "tls:").optional(),
    ),
    NATS_CREDS: variable("none", "a credentials file of NATS", text.optional()),
    // OpenTelemetry's names, so that its exporter's other variables apply too.
    OTEL_EXPORTER_OTLP_ENDPOINT: variable(
      "none",
      "collector for [traces](operations/traces.md), such as `http://127.0.0.1:4318`; without it nothing is traced",
      url("http:", "https:").optional(),
    ),
    OTEL_TRACES_SAMPLER_ARG: variable(
      "1",
      "share of commands that are traced, from 0 to 1",
      text
        .transform(Number)
        .refine((share) => share >= 0 && share <= 1, "must be a number from 0 to 1")
        .default(1),
    ),
  };
  // Production requires the others in any case.
  const shared = isProduction ? (["FILES_URL"] as const) : (["DATABASE_URL", "AUTH_SECRET"] as const);
  const always = { when: () => true };
  let schema = z.object(shape).refine(({ PORT, METRICS_PORT }) => METRICS_PORT !== PORT || PORT === 0, {
    ...always,
    path: ["METRICS_PORT"],
    error: "must not be PORT",
  });
  for (const name of shared)
    schema = schema.refine(({ NATS_URL, [name]: value }) => NATS_URL === undefined || value !== undefined, {
      ...always,
      path: [name],
      error: "is missing: servers with NATS_URL share it",
    });
  return schema;
}

function paystackKey(isProduction: boolean) {
  return text
    .startsWith("sk_", "must begin with sk_")
    .refine((key) => isProduction || !key.startsWith("sk_live_"), "is a live key, which needs NODE_ENV=production")
    .refine((key) => !isProduction || !key.startsWith("sk_test_"), "is a test key");
}

/** For docs/configuration.md and the doctor. */
export function listVariables() {
  return Object.entries(makeVariables(true).shape).map(([name, schema]) => ({
    name,
    isRequired: !schema.safeParse(undefined).success,
    ...DESCRIPTIONS.get(schema)!,
  }));
}
