import { generateKeyPairSync, sign } from "node:crypto";
import { DAY_MS } from "@holo/kernel/instant.ts";

interface TestCertificate {
  readonly key: string;
  readonly certificate: string;
}

function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const inside = Buffer.concat(content);
  const { length: size } = inside;
  const digits = size < 0x80 ? [] : size < 0x100 ? [size] : [size >> 8, size & 0xff];
  const length = digits.length === 0 ? [size] : [0x80 | digits.length, ...digits];
  return Buffer.concat([Buffer.from([tag, ...length]), inside]);
}

const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const octets = (content: Uint8Array): Buffer => der(0x04, content);
const TRUE = der(0x01, Buffer.from([0xff]));

function toUtcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, "");
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
}

/** Valid from two days ago until `endsAtMs` (X.509 v3, RFC 5280), with a new key. */
export function makeCertificate(host: string, endsAtMs = Date.now() + DAY_MS): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(identifier("2a8648ce3d040302"));
  const name = sequence(der(0x31, sequence(identifier("550403"), der(0x0c, Buffer.from(host)))));
  const isAuthority = sequence(identifier("551d13"), TRUE, octets(sequence(TRUE)));
  const alternativeName = sequence(identifier("551d11"), octets(sequence(der(0x82, Buffer.from(host)))));
  const facts = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(toUtcTime(Date.now() - 2 * DAY_MS), toUtcTime(endsAtMs)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(isAuthority, alternativeName)),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", facts, privateKey));
  const body = sequence(facts, ecdsaWithSha256, signature).toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
  };
}
