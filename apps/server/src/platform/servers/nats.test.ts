import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLog } from "../log.ts";
import { type Metrics, openMetrics } from "../metrics/metrics.ts";
import { makeCertificate } from "../testing/test-certificate.ts";
import { openTestLog } from "../testing/test-log.ts";
import { startTestNats } from "../testing/test-nats.ts";
import { type Carrier, openNats } from "./nats.ts";

let folder = "";
const ends: (() => Promise<unknown> | undefined)[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "holo-nats-"));
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

/** Of `localhost`, and trusted as its own authority until the test ends. */
function makeTls(): string {
  const { key, certificate } = makeCertificate("localhost");
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, certificate]);
  ends.push(async () => setDefaultCACertificates(trusted));
  return `tls { cert_file: "${write("cert.pem", certificate)}", key_file: "${write("key.pem", key)}" }`;
}

async function startNats(config: string): Promise<string> {
  const nats = await startTestNats(write("nats.conf", config));
  ends.push(nats.kill);
  return `localhost:${new URL(nats.url).port}`;
}

function open(
  url: string,
  credentialsFile: string | null = null,
  metrics: Metrics = openMetrics({ process: false }),
): Carrier {
  const carrier = openNats({ url, credentialsFile, name: "a test", log: openTestLog(), metrics });
  ends.push(carrier.close);
  return carrier;
}

async function untilConnected(carrier: Carrier): Promise<void> {
  await expect.poll(() => carrier.isConnected).toBe(true);
}

/** Sends from one to the other, again until the subscription is known to NATS. */
async function expectCarried(from: Carrier, to: Carrier): Promise<void> {
  const received: string[] = [];
  to.subscribe("holo.test", (text) => received.push(text));
  await expect
    .poll(() => {
      from.publish("holo.test", "over TLS");
      return received.at(-1);
    })
    .toBe("over TLS");
}

test("loses a message that NATS does not accept, like any other that cannot be sent", async () => {
  const metrics = openMetrics({ process: false });
  const url = `nats://${await startNats("max_payload: 1000")}`;
  const [from, to] = [open(url, null, metrics), open(url)];
  for (const carrier of [from, to]) await untilConnected(carrier);
  from.publish("holo.test", "x".repeat(2_000));
  await expect.poll(() => metrics.readValue("holo_nats_lost_total")).toBe(1);
  await expectCarried(from, to);
});

// [SERVERS-38 §-] With a frozen NATS a server keeps a bounded number of messages and drops the rest; messages flow
// again once it goes on.
test("drops what a frozen NATS does not take beyond eight megabytes, and goes on after it [SERVERS-38]", async () => {
  const nats = await startTestNats();
  ends.push(nats.kill);
  const metrics = openMetrics({ process: false });
  const [from, to] = [open(nats.url, null, metrics), open(nats.url)];
  for (const carrier of [from, to]) await untilConnected(carrier);
  await expectCarried(from, to);
  nats.signal("SIGSTOP");
  for (let sent = 0; sent < 30; sent += 1) from.publish("holo.test", "x".repeat(500_000));
  await expect.poll(() => metrics.readValue("holo_nats_lost_total")).toBe(13);
  nats.signal("SIGCONT");
  await expectCarried(from, to);
});

test("messages cross a NATS that wants TLS, a user and a password, all named by the URL", async () => {
  const place = await startNats(`${makeTls()}\nauthorization { user: holo, password: "p@ss word" }`);
  const [one, other, stranger] = [
    open(`tls://holo:${encodeURIComponent("p@ss word")}@${place}`),
    open(`tls://holo:${encodeURIComponent("p@ss word")}@${place}`),
    open(`tls://holo:wrong@${place}`),
  ];
  await untilConnected(one);
  await untilConnected(other);
  await expectCarried(one, other);
  expect(stranger.isConnected).toBe(false);
});

test("a NATS whose certificate no known authority signed is not used", async () => {
  const forged = makeCertificate("localhost");
  const tls = `tls { cert_file: "${write("cert.pem", forged.certificate)}", key_file: "${write("key.pem", forged.key)}" }`;
  const place = await startNats(tls);
  const warnings: string[] = [];
  const log = openLog("warn", { write: (line) => void warnings.push(line) });
  const metrics = openMetrics({ process: false });
  const carrier = openNats({ url: `tls://${place}`, credentialsFile: null, name: "a test", log, metrics });
  ends.push(carrier.close);
  // A busy machine may time out before.
  await expect
    .poll(() => warnings.map((line) => JSON.parse(line).err?.message))
    .toContainEqual(expect.stringMatching(/self-signed certificate/));
  expect(carrier.isConnected).toBe(false);
});

test("a credentials file lets the servers of its account in, and no one else", async () => {
  const [operator, account, user] = [makeKey("O"), makeKey("A"), makeKey("U")];
  const accountToken = toToken(operator, account, { type: "account", version: 2, limits: UNLIMITED });
  const config = `
    operator: ${toToken(operator, operator, { type: "operator", version: 2 })}
    resolver: MEMORY
    resolver_preload: { ${account.id}: ${accountToken} }`;
  const place = await startNats(config);
  const credentials = write(
    "holo.creds",
    `-----BEGIN NATS USER JWT-----\n${toToken(account, user, { type: "user", version: 2, subs: -1, data: -1, payload: -1 })}\n------END NATS USER JWT------\n
-----BEGIN USER NKEY SEED-----\n${user.seed}\n------END USER NKEY SEED------\n`,
  );
  const [one, other, stranger] = [
    open(`nats://${place}`, credentials),
    open(`nats://${place}`, credentials),
    open(`nats://${place}`),
  ];
  await untilConnected(one);
  await untilConnected(other);
  await expectCarried(one, other);
  expect(stranger.isConnected).toBe(false);
});

interface Key {
  readonly id: string;
  readonly seed: string;
  readonly privateKey: KeyObject;
}

/** The prefixes of NATS keys: their first letter, in base 32, is the kind. */
const PREFIXES = { O: 14 << 3, A: 0, U: 20 << 3 } as const;
const SEED_PREFIX = 18 << 3;
const UNLIMITED = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };

function makeKey(kind: keyof typeof PREFIXES): Key {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const prefix = PREFIXES[kind];
  const raw = (key: KeyObject, field: "x" | "d") => Buffer.from(key.export({ format: "jwk" })[field]!, "base64url");
  return {
    id: encode(Buffer.concat([Buffer.from([prefix]), raw(publicKey, "x")])),
    seed: encode(Buffer.concat([Buffer.from([SEED_PREFIX | (prefix >> 5), (prefix & 31) << 3]), raw(privateKey, "d")])),
    privateKey,
  };
}

/** Base 32 with the checksum that NATS appends (CRC-16/XMODEM, low byte first). */
function encode(bytes: Buffer): string {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
  }
  const bits = [...bytes, crc & 0xff, crc >> 8].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}

/** A NATS token: one key vouches for another. */
function toToken(issuer: Key, subject: Key, nats: object): string {
  const toText = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { jti: subject.id, iat: 1_700_000_000, iss: issuer.id, sub: subject.id, name: "holo", nats };
  const body = `${toText({ typ: "JWT", alg: "ed25519-nkey" })}.${toText(claims)}`;
  return `${body}.${sign(null, Buffer.from(body), issuer.privateKey).toString("base64url")}`;
}
