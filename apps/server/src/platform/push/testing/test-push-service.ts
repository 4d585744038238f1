import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { assert } from "@holo/kernel/assert.ts";
import type { PushSubscription } from "../pusher.ts";

interface ReceivedPush {
  readonly endpoint: string;
  readonly text: string;
  readonly ttl: number;
  readonly urgency: string | undefined;
  readonly receivedMs: number;
}

/** A push service and the browsers behind it: it checks the sender and decrypts what it takes. */
export interface TestPushService {
  readonly origin: string;
  readonly received: readonly ReceivedPush[];
  /** Messages that a real service would refuse, with the reason. */
  readonly faults: readonly string[];
  subscribe(): PushSubscription;
  /** The status of all further answers. Default: 201. */
  answerWith(status: number): void;
  close(): Promise<void>;
}

const CURVE = "prime256v1";

export async function openTestPushService(publicKey: () => string): Promise<TestPushService> {
  const received: ReceivedPush[] = [];
  const faults: string[] = [];
  const browsers = new Map<string, { readonly keys: ReturnType<typeof createECDH>; readonly auth: Buffer }>();
  let status = 201;

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const endpoint = `${origin()}${request.url}`;
      const browser = browsers.get(endpoint);
      const fault = browser === undefined ? "unknown subscription" : findFault(request.headers, origin(), publicKey());
      if (fault !== null || browser === undefined) {
        faults.push(fault ?? "");
        return void response.writeHead(403).end();
      }
      if (status < 300) {
        received.push({
          endpoint,
          text: decrypt(Buffer.concat(chunks), browser.keys, browser.auth),
          ttl: Number(request.headers.ttl),
          urgency: request.headers.urgency as string | undefined,
          receivedMs: performance.now(),
        });
      }
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    origin: origin(),
    received,
    faults,
    subscribe() {
      const endpoint = `${origin()}/${randomBytes(16).toString("hex")}`;
      const keys = createECDH(CURVE);
      const p256dh = keys.generateKeys("base64url");
      const auth = randomBytes(16);
      browsers.set(endpoint, { keys, auth });
      return { endpoint, keys: { p256dh, auth: auth.toString("base64url") } };
    },
    answerWith(next) {
      status = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** RFC 8292: a token for this origin, of at most a day, signed by the key subscribed to. */
function findFault({ authorization }: IncomingHttpHeaders, origin: string, publicKey: string): string | null {
  const { token, key } = /^vapid t=(?<token>[^,]+), ?k=(?<key>.+)$/.exec(authorization ?? "")?.groups ?? {};
  if (token === undefined || key === undefined) return "no VAPID";
  if (key !== publicKey) return "another key";
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const signer = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y } });
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: signer, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) return "a wrong signature";
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString("utf8")) as Record<string, unknown>;
  const leftS = Number(exp) - Date.now() / 1000;
  if (aud !== origin) return "another audience";
  if (!(leftS > 0 && leftS <= 24 * 60 * 60)) return "expired, or valid for too long";
  return typeof sub === "string" && /^(mailto|https):/.test(sub) ? null : "no contact";
}

/** RFC 8291 over RFC 8188, with one record. */
function decrypt(body: Buffer, keys: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), keys.getPublicKey(), sender]);
  const derive = (secret: Buffer, from: Buffer, about: string | Buffer, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, from, about, length));
  const secret = derive(keys.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = derive(secret, salt, "Content-Encoding: nonce\0", 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce, { authTagLength: 16 });
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  assert(end >= 0, "the last record ends with its delimiter");
  return padded.subarray(0, end).toString("utf8");
}
