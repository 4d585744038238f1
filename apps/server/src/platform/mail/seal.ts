import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { randomBytes } from "../runtime.ts";

/**
 * Authenticated encryption with a key derived from the server's secret, bound to a place: the owner
 * of the text, needed again to open it.
 */
export interface Seal {
  /** @param place identifies the owner of the text; the same place is required to open it */
  close(text: string, place: string): Buffer;
  /** Null if the secret or the place differs, or if the content was altered. */
  open(sealed: Buffer, place: string): string | null;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param purpose separates keys derived from the same secret */
export function makeSeal(secret: string, purpose: string): Seal {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", purpose, 32));
  return {
    close(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(place));
      const closed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), closed]);
    },
    open(sealed, place) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      try {
        const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
        return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      } catch {
        // The library throws for a wrong key, place or content alike.
        return null;
      }
    },
  };
}
