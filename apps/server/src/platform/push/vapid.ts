import { createECDH, hkdfSync } from "node:crypto";

/** The key pair that identifies this server to push services (RFC 8292), in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const CURVE = "prime256v1";

/**
 * Derived from the server's secret, so that all servers have the same and nothing else is kept. A
 * new secret ends all subscriptions: browsers subscribe to one key.
 */
export function makeVapidKeys(secret: string): VapidKeys {
  const pair = createECDH(CURVE);
  const key = Buffer.from(hkdfSync("sha256", secret, "", "holo web push", 32));
  pair.setPrivateKey(key);
  // `getPrivateKey` would leave out zeros at the beginning.
  return { publicKey: pair.getPublicKey("base64url"), privateKey: key.toString("base64url") };
}
