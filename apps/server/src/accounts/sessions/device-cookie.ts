import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { randomBytes } from "../../platform/runtime.ts";
import { findCookie } from "./session-cookie.ts";

/** Identifies a browser, so that a login from a new one is noticed. Grants nothing. */
export interface DeviceCookies {
  readHash(header: string | undefined): string | null;
  issue(): { readonly hash: string; readonly setCookie: string };
}

const LIFE_SECONDS = 400 * 24 * 60 * 60;

export function makeDeviceCookies(secret: string, isSecure: boolean): DeviceCookies {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "holo devices", 32));
  const name = isSecure ? "__Host-holo_device" : "holo_device";
  const sign = (id: string): string => createHmac("sha256", key).update(id).digest("base64url");
  const toHash = (id: string): string => createHash("sha256").update(id).digest("base64url");

  return {
    readHash(header) {
      const [, id, signature] = SIGNED.exec(header === undefined ? "" : (findCookie(header, name) ?? "")) ?? [];
      if (id === undefined || signature === undefined) return null;
      return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(id))) ? toHash(id) : null;
    },
    issue() {
      const id = randomBytes(18).toString("base64url");
      const attributes = `Max-Age=${LIFE_SECONDS}; Path=/; HttpOnly;${isSecure ? " Secure;" : ""} SameSite=Lax`;
      return { hash: toHash(id), setCookie: `${name}=${id}.${sign(id)}; ${attributes}` };
    },
  };
}

const SIGNED = /^([\w-]{24})\.([\w-]{43})$/;
