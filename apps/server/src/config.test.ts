import { describe, expect, it } from "vitest";
import { type Environment, parseConfig, selectVariables } from "./config.ts";

const PRODUCTION: Environment = {
  NODE_ENV: "production",
  DATABASE_URL: "postgresql://holo:secret@db.internal/holo",
  PUBLIC_URL: "https://play.holo-arena.ng/",
  OWNER_EMAIL: "Chief@holo-arena.ng",
  AUTH_SECRET: "0123456789abcdef0123456789abcdef",
  SMTP_URL: "smtps://mailer:secret@mail.holo-arena.ng",
  PAYSTACK_SECRET_KEY: "sk_live_abc",
  SUPPORT_EMAIL: "help@holo-arena.ng",
  SUPPORT_MESSAGING_URL: "https://wa.me/2348000000000",
  TRUSTED_PROXIES: "127.0.0.1",
};

function faultsOf(environment: Environment): readonly string[] {
  const parsed = parseConfig(environment);
  return parsed.ok ? [] : parsed.refusal;
}

describe("the configuration", () => {
  it("charges players the provider's fee only if configured, with known values", () => {
    const read = (DEPOSIT_FEE_PAYER: string) => parseConfig({ DEPOSIT_FEE_PAYER });
    expect(read("player")).toMatchObject({ ok: true, value: { payerBearsFee: true } });
    expect(read("platform")).toMatchObject({ ok: true, value: { payerBearsFee: false } });
    expect(read("us")).toEqual({ ok: false, refusal: ["DEPOSIT_FEE_PAYER must be player or platform"] });
  });

  it.each([
    ["OFFLINE_PAGE", "hasWorker"],
    ["CHAT_MASK_CONTACTS", "masksContacts"],
  ])("has %s on unless it is switched off", (name, field) => {
    const read = (value: string) => parseConfig({ [name]: value });
    expect(read("on")).toMatchObject({ ok: true, value: { [field]: true } });
    expect(read("off")).toMatchObject({ ok: true, value: { [field]: false } });
    expect(read("no")).toEqual({ ok: false, refusal: [`${name} must be on or off`] });
  });

  it("takes a chess engine by its absolute path", () => {
    const read = (CHESS_ENGINE: string) => parseConfig({ CHESS_ENGINE });
    expect(read("/usr/games/stockfish")).toMatchObject({ ok: true, value: { chessEngine: "/usr/games/stockfish" } });
    expect(read("stockfish")).toEqual({ ok: false, refusal: ["CHESS_ENGINE must be an absolute path"] });
  });

  it("opens the page at an address of its own if it listens there only [OPS-43]", () => {
    const read = (HOST: string) => parseConfig({ HOST });
    expect(read("192.168.1.5")).toMatchObject({ ok: true, value: { publicUrl: "http://192.168.1.5:3000" } });
    expect(read("fd00::5")).toMatchObject({ ok: true, value: { publicUrl: "http://[fd00::5]:3000" } });
    for (const host of ["0.0.0.0", "::", "127.0.0.1", "localhost"]) {
      expect(read(host)).toMatchObject({ ok: true, value: { publicUrl: "http://localhost:3000" } });
    }
  });

  it("requires nothing in development", () => {
    expect(parseConfig({})).toEqual({
      ok: true,
      value: {
        mode: "development",
        port: 3000,
        host: null,
        metrics: { address: null, token: null },
        dataDir: "./data",
        databaseUrl: null,
        nats: null,
        traces: null,
        publicUrl: "http://localhost:3000",
        ownerEmail: "owner@example.com",
        authSecret: null,
        smtpUrl: null,
        paystack: null,
        payerBearsFee: false,
        withdrawalsPerDay: 3,
        correctionLimitNaira: 50_000,
        retentionDays: 180,
        files: { type: "disk", folder: "data/files" },
        supportEmail: "support@example.com",
        pushService: null,
        supportMessagingUrl: null,
        trustedProxies: [],
        hasWorker: true,
        masksContacts: true,
        chessEngine: null,
        androidCertificates: [],
      },
    });
  });

  it("accepts Android certificate digests in the formats of common tools", () => {
    const read = (ANDROID_CERT_SHA256: string) => parseConfig({ ANDROID_CERT_SHA256 });
    const [plain, written] = ["ab".repeat(32), Array.from({ length: 32 }, () => "AB").join(":")];
    expect(read(`${plain}, ${written},`)).toMatchObject({
      ok: true,
      value: { androidCertificates: [written, written] },
    });
    for (const wrong of ["ab", `${plain}00`, "xy".repeat(32)]) {
      const refusal = ["ANDROID_CERT_SHA256 must be SHA-256 digests of certificates, separated by commas"];
      expect(read(wrong)).toEqual({ ok: false, refusal });
    }
  });

  it("stores files in the default folder, a named one or a bucket", () => {
    const read = (FILES_URL: string) => parseConfig({ FILES_URL, DATA_DIR: "/srv/holo" });
    expect(read("")).toMatchObject({ value: { files: { type: "disk", folder: "/srv/holo/files" } } });
    expect(read("file:///mnt/builds%20x")).toMatchObject({
      value: { files: { type: "disk", folder: "/mnt/builds x" } },
    });
    const place = { type: "s3", region: "af-south-1", bucket: "holo.files", draftsFolder: "/srv/holo/drafts" };
    expect(read("s3://KEY:se%2Fcret@holo.files?region=af-south-1")).toMatchObject({
      value: {
        files: {
          ...place,
          endpoint: "https://s3.af-south-1.amazonaws.com",
          prefix: "",
          accessKeyId: "KEY",
          secretAccessKey: "se/cret",
        },
      },
    });
    expect(
      read("s3://KEY:secret@holo.files/arena/builds/?region=af-south-1&endpoint=http://127.0.0.1:9000/"),
    ).toMatchObject({ value: { files: { ...place, endpoint: "http://127.0.0.1:9000", prefix: "arena/builds/" } } });
  });

  it.each([
    ["https://files.example.com/", ["must be a URL that begins with file:// or s3://"]],
    ["file://elsewhere/folder", ["must name a folder of this machine, as file:///folder"]],
    [
      "s3://Bucket_1?region=",
      [
        "must carry key and secret, as s3://key:secret@bucket",
        "must name a bucket, and may name a folder in it",
        "must name a region, as ?region=af-south-1",
      ],
    ],
    ["file:files", ["must name a folder of this machine, as file:///folder"]],
    ["file:///", ["must name a folder of this machine, as file:///folder"]],
    ["file:///files%2fup", ["must name a folder of this machine, as file:///folder"]],
    ["file:///files%zz", ["must name a folder of this machine, as file:///folder"]],
    ["s3://key:%zz@bucket?region=x", ["must carry key and secret, as s3://key:secret@bucket"]],
    [
      "s3://key:secret@bucket/../up?region=x&endpoint=ftp://x",
      ["must have an endpoint that begins with https:// or http://"],
    ],
    ["s3://key:secret@bucket/a//b?region=x", ["must name a bucket, and may name a folder in it"]],
  ])("explains what is wrong with %s as file storage", (FILES_URL, faults) => {
    expect(faultsOf({ FILES_URL })).toEqual(faults.map((fault) => `FILES_URL ${fault}`));
  });

  it("requires a bucket over TLS in production", () => {
    const FILES_URL = "s3://key:secret@bucket?region=x&endpoint=http://127.0.0.1:9000";
    expect(faultsOf({ ...PRODUCTION, FILES_URL })).toEqual([
      "FILES_URL must have an endpoint that begins with https://",
    ]);
  });

  it("names the encoding that user and password of a URL need", () => {
    const urls = {
      DATABASE_URL: "postgresql://holo:a#b@db/holo",
      FILES_URL: "file:///files",
      NATS_URL: "nats://holo:100%@nats",
      SMTP_URL: "smtps://user:a/b@mail.holo-arena.ng",
    };
    const faults = ["DATABASE_URL", "SMTP_URL", "NATS_URL"].map(
      (name) => `${name} is not a valid URL: URL-encode user and password, for example / as %2F`,
    );
    expect(faultsOf({ ...PRODUCTION, ...urls })).toEqual(faults);
    expect(faultsOf({ SMTP_URL: "mail.holo-arena.ng" })).toEqual([
      "SMTP_URL must be a URL that begins with smtp:// or smtps://",
    ]);
  });

  it("requires a host in every URL but those of a folder and of a database on this machine", () => {
    const hostless = {
      NATS_URL: "nats://user:secret@:4222",
      SMTP_URL: "smtps://",
      PUBLIC_URL: "https://",
      SUPPORT_MESSAGING_URL: "https:///",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://:4318",
    };
    const faults = faultsOf({ ...PRODUCTION, FILES_URL: "file:///files", ...hostless });
    expect(faults.toSorted()).toEqual(
      Object.keys(hostless)
        .sort()
        .map((name) => `${name} names no host`),
    );
    expect(faultsOf({ DATABASE_URL: "postgresql://holo@/holo" })).toEqual(["DATABASE_URL names no host"]);
    expect(faultsOf({ SMTP_URL: "smtps:mail.holo-arena.ng" })).toEqual([
      "SMTP_URL must be a URL that begins with smtp:// or smtps://",
    ]);
    expect(faultsOf({ DATABASE_URL: "postgresql:///holo", FILES_URL: " file:///files\r\n" })).toEqual([]);
  });

  it("refuses values in quotes, but no secret that may be in use", () => {
    const quoted = Object.fromEntries(Object.entries(PRODUCTION).map(([name, value]) => [name, `'${value}'`]));
    const names = Object.keys(PRODUCTION).filter((name) => name !== "AUTH_SECRET");
    expect(faultsOf(quoted).toSorted()).toEqual(
      names.sort().map((name) => `${name} is in quotes, which count as part of the value: write it without them`),
    );
    expect(parseConfig({ AUTH_SECRET: quoted.AUTH_SECRET })).toMatchObject({
      value: { authSecret: quoted.AUTH_SECRET },
    });
  });

  it("treats an empty variable as unset", () => {
    expect(parseConfig({ PORT: "", DATABASE_URL: " ", NODE_ENV: "" })).toEqual(parseConfig({}));
  });

  it("derives the public URL from the port by default", () => {
    expect(parseConfig({ PORT: "8080" })).toMatchObject({ value: { port: 8080, publicUrl: "http://localhost:8080" } });
  });

  it("accepts complete production values", () => {
    expect(parseConfig(PRODUCTION)).toMatchObject({
      ok: true,
      value: {
        mode: "production",
        publicUrl: "https://play.holo-arena.ng",
        ownerEmail: "chief@holo-arena.ng",
        paystack: { secretKey: "sk_live_abc", url: "https://api.paystack.co" },
      },
    });
  });

  it("names everything that production lacks at once", () => {
    expect(faultsOf({ NODE_ENV: "production" })).toEqual([
      "DATABASE_URL is missing",
      "PUBLIC_URL is missing",
      "AUTH_SECRET is missing",
      "TRUSTED_PROXIES is missing",
      "SMTP_URL is missing",
      "SUPPORT_EMAIL is missing",
      "SUPPORT_MESSAGING_URL is missing",
      "OWNER_EMAIL is missing",
      "PAYSTACK_SECRET_KEY is missing",
    ]);
  });

  it("requires production to name its proxies, or to say that there are none", () => {
    expect(faultsOf({ ...PRODUCTION, TRUSTED_PROXIES: "" })).toEqual(["TRUSTED_PROXIES is missing"]);
    const read = (TRUSTED_PROXIES: string) => parseConfig({ ...PRODUCTION, TRUSTED_PROXIES });
    expect(read("none")).toMatchObject({ ok: true, value: { trustedProxies: [] } });
    expect(read("10.0.0.0/8, ::1")).toMatchObject({ ok: true, value: { trustedProxies: ["10.0.0.0/8", "::1"] } });
    for (const TRUSTED_PROXIES of ["none, 10.0.0.1", ","]) {
      expect(faultsOf({ ...PRODUCTION, TRUSTED_PROXIES })).toEqual([
        "TRUSTED_PROXIES must be addresses or networks, separated by commas",
      ]);
    }
  });

  it("listens on loopback behind a proxy in production, elsewhere on all addresses, or as told", () => {
    const hostOf = (environment: Environment) => {
      const parsed = parseConfig(environment);
      return parsed.ok ? parsed.value.host : parsed.refusal;
    };
    expect(hostOf(PRODUCTION)).toBe("127.0.0.1");
    expect(hostOf({ ...PRODUCTION, TRUSTED_PROXIES: "none" })).toBeNull();
    expect(hostOf({ TRUSTED_PROXIES: "127.0.0.1" })).toBeNull();
    expect(hostOf({ ...PRODUCTION, HOST: "0.0.0.0" })).toBe("0.0.0.0");
    expect(hostOf({ HOST: "::1" })).toBe("::1");
    expect(hostOf({ HOST: "holo-arena.ng" })).toEqual(["HOST must be an address of this machine"]);
  });

  it("gives metrics a token, or a port that is on loopback by default", () => {
    const read = (environment: Environment) => parseConfig({ ...PRODUCTION, TRUSTED_PROXIES: "none", ...environment });
    expect(read({ METRICS_TOKEN: "0123456789abcdef" })).toMatchObject({
      value: { metrics: { address: null, token: "0123456789abcdef" } },
    });
    expect(read({ METRICS_PORT: "9464" })).toMatchObject({
      value: { metrics: { address: { port: 9_464, host: "127.0.0.1" }, token: null } },
    });
    expect(read({ METRICS_PORT: "9464", HOST: "0.0.0.0" })).toMatchObject({
      value: { metrics: { address: { port: 9_464, host: "0.0.0.0" } } },
    });
    expect(faultsOf({ PORT: "9464", METRICS_PORT: "9464" })).toEqual(["METRICS_PORT must not be PORT"]);
    expect(faultsOf({ METRICS_TOKEN: "short", METRICS_PORT: "x" })).toEqual([
      "METRICS_TOKEN must have at least 16 characters",
      "METRICS_PORT must be a whole number from 0 to 65535",
    ]);
  });

  it("traces only with a collector, by default every command", () => {
    const endpoint = "https://collector.example.ng:4318";
    const read = (environment: Environment) => parseConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...environment });
    expect(read({})).toMatchObject({ value: { traces: { endpoint, share: 1 } } });
    expect(read({ OTEL_TRACES_SAMPLER_ARG: "0.01" })).toMatchObject({ value: { traces: { share: 0.01 } } });
    expect(faultsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318", OTEL_TRACES_SAMPLER_ARG: "1%" })).toEqual([
      "OTEL_EXPORTER_OTLP_ENDPOINT must be a URL that begins with http:// or https://",
      "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1",
    ]);
  });

  it.each(["development", "test", undefined])("refuses a live provider key with NODE_ENV=%s", (NODE_ENV) => {
    const fault = "PAYSTACK_SECRET_KEY is a live key, which needs NODE_ENV=production";
    expect(faultsOf({ NODE_ENV, PAYSTACK_SECRET_KEY: "sk_live_abc", DATABASE_URL: PRODUCTION.DATABASE_URL })).toEqual([
      fault,
    ]);
    expect(faultsOf({ NODE_ENV, PAYSTACK_SECRET_KEY: "sk_test_abc" })).toEqual([]);
  });

  it.each([
    ["a test key", { PAYSTACK_SECRET_KEY: "sk_test_abc" }, "PAYSTACK_SECRET_KEY is a test key"],
    [
      "the sandbox provider",
      { PAYSTACK_URL: "http://localhost:4000" },
      "PAYSTACK_URL must be https://api.paystack.co, or unset",
    ],
    ["a short secret", { AUTH_SECRET: "short" }, "AUTH_SECRET must have at least 32 characters"],
    [
      "an address without encryption",
      { PUBLIC_URL: "http://holo-arena.ng" },
      "PUBLIC_URL must be a URL that begins with https://",
    ],
    [
      "an address with a user",
      { PUBLIC_URL: "https://hunter2@holo-arena.ng" },
      "PUBLIC_URL must be an origin, without a user",
    ],
    ["a short retention", { RETENTION_DAYS: "29" }, "RETENTION_DAYS must be a whole number from 30 to 9999"],
    [
      "an owner at a reserved domain",
      { OWNER_EMAIL: "owner@example.com" },
      "OWNER_EMAIL must not be at a reserved domain such as example.com",
    ],
  ])("refuses %s in production", (_what, change, fault) => {
    expect(faultsOf({ ...PRODUCTION, ...change })).toEqual([fault]);
  });

  it("names every fault at once in any mode, without values", () => {
    const faults = faultsOf({
      PORT: "70000",
      DATABASE_URL: "mysql://root:hunter2@db",
      PUBLIC_URL: "https://holo-arena.ng/arena",
      OWNER_EMAIL: "nobody",
      AUTH_SECRET: "hunter2",
      SMTP_URL: "mail",
      PAYSTACK_SECRET_KEY: "hunter2",
      SUPPORT_MESSAGING_URL: "javascript:alert(1)",
    });
    expect(faults).toEqual([
      "PORT must be a whole number from 0 to 65535",
      "DATABASE_URL must be a URL that begins with postgres:// or postgresql://",
      "PUBLIC_URL must be an origin, without a path",
      "AUTH_SECRET must have at least 32 characters",
      "SMTP_URL must be a URL that begins with smtp:// or smtps://",
      "SUPPORT_MESSAGING_URL must be a URL that begins with https://",
      "OWNER_EMAIL must be an e-mail address",
      "PAYSTACK_SECRET_KEY must begin with sk_",
    ]);
    expect(faults.join()).not.toContain("hunter2");
  });

  // [OPS-52 §-] A misspelt variable, a placeholder of an example and several hosts in one URL are named at the start,
  // with the name that was meant or what to write, without the value.
  it.each([
    ["DATABSE_URL", "DATABASE_URL"],
    ["Database_Url", "DATABASE_URL"],
    ["PROT", "PORT"],
    ["PAYSTACK_SECRET", "PAYSTACK_SECRET_KEY"],
    ["TRUSTED_PROXY", "TRUSTED_PROXIES"],
    ["FILE_URL", "FILES_URL"],
    ["AUTH_SECRET_FILE", "AUTH_SECRET"],
    ["ANDROID_CERT_SHA265", "ANDROID_CERT_SHA256"],
  ])("finds %s, which is %s misspelt [OPS-52]", (name, meant) => {
    const fault = `${name} is unknown: did you mean ${meant}? Correct its name, or unset it`;
    expect(faultsOf({ [name]: "hunter2" })).toEqual([fault]);
    expect(faultsOf({ ...PRODUCTION, [name]: "hunter2" })).toEqual([fault]);
    expect(faultsOf(selectVariables({ PORT: "many", [name]: "hunter2" }, ["DATABASE_URL"]))).toEqual([fault]);
  });

  it("leaves the variables of other programs alone", () => {
    const names = [
      "PATH",
      "HOME",
      "POST",
      "DATABASE_PORT",
      "HOSTNAME",
      "PGHOST",
      "PGPORT",
      "DATA",
      "NODE_OPTIONS",
      "NODE_EXTRA_CA_CERTS",
    ];
    const more = ["NATS_PORT", "NATS_SERVICE_HOST", "SMTP_PORT", "OTEL_TRACES_SAMPLER", "LOG_LEVEL", "npm_config_port"];
    expect(faultsOf(Object.fromEntries([...names, ...more].map((name) => [name, "x"])))).toEqual([]);
  });

  it("refuses the placeholders of examples, and says nothing else about them [OPS-52]", () => {
    const values = [
      "...",
      "change-me",
      "CHANGEME",
      "example",
      "<secret>",
      "your-secret",
      "sk_live_xxxx",
      "sk_live_…",
      "placeholder",
    ];
    for (const value of values) {
      const fault = "is a placeholder: write the real value";
      expect(faultsOf({ PAYSTACK_SECRET_KEY: value })).toEqual([`PAYSTACK_SECRET_KEY ${fault}`]);
      expect(faultsOf({ ...PRODUCTION, AUTH_SECRET: value })).toEqual([`AUTH_SECRET ${fault}`]);
    }
    expect(faultsOf({ ...PRODUCTION, DATABASE_URL: "postgresql://holo:change-me@db/holo" })).toEqual([
      "DATABASE_URL is a placeholder: write the real value",
    ]);
  });

  it.each([
    ["DATABASE_URL", "postgres://holo:a,b@one:5432,two:5432/holo"],
    ["DATABASE_URL", "postgres:///holo?host=one,two"],
    ["NATS_URL", "nats://one:4222,nats://two:4222"],
    ["PUBLIC_URL", "https://play.holo-arena.ng, https://holo-arena.ng"],
  ])("refuses several hosts in %s [OPS-52]", (name, value) => {
    expect(faultsOf({ ...PRODUCTION, FILES_URL: "file:///files", [name]: value })).toEqual([
      `${name} names several hosts: name one address, which moves with the service`,
    ]);
  });

  it("applies production rules to an unknown mode, which may be misspelt", () => {
    expect(faultsOf({ NODE_ENV: "prod" })).toEqual(
      expect.arrayContaining(["NODE_ENV must be development, test or production", "AUTH_SECRET is missing"]),
    );
  });
});
