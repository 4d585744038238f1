import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** What one server writes to another at once. */
export interface Envelope {
  readonly from: string;
  readonly to: string;
  /** Rises by one with each envelope from one server to another. */
  readonly seq: number;
  readonly items: readonly Item[];
}

/** A message; with `ask` it is to be answered, with `answer` it answers. */
export type Item =
  | { readonly topic: string; readonly message: unknown; readonly ask?: number }
  | { readonly answer: number; readonly message: unknown }
  | { readonly answer: number; readonly hasFailed: true };

/** Access to NATS does not let anyone speak for a server: envelopes are signed. */
export interface Seal {
  /** `items` are JSON. */
  seal(from: string, to: string, seq: number, items: readonly string[]): string;
  /** Null: not signed with this secret. */
  open(text: string): Envelope | null;
}

const MAC_CHARS = 43;

export function openSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "holo links", 32));
  const sign = (body: string): string => createHmac("sha256", key).update(body).digest("base64url");
  return {
    seal(from, to, seq, items) {
      const body = `{"from":"${from}","to":"${to}","seq":${seq},"items":[${items.join(",")}]}`;
      return sign(body) + body;
    },
    open(text) {
      const body = text.slice(MAC_CHARS);
      const [mac, expected] = [Buffer.from(text.slice(0, MAC_CHARS)), Buffer.from(sign(body))];
      return mac.length === expected.length && timingSafeEqual(mac, expected) ? JSON.parse(body) : null;
    },
  };
}
