import { createHmac, timingSafeEqual } from "node:crypto";
import { SESSION_LIFE_MS } from "./sessions-store.ts";

/** The signature lets a forged cookie cost no query. */
export interface SessionCookies {
  /** The token of a correctly signed session cookie; null if there is none. */
  readToken(header: string | undefined): string | null;
  format(token: string): string;
  formatExpired(): string;
}

const SIGNED = /^([\w-]{16,64})\.([\w-]{43})$/;

export function makeSessionCookies(secret: string, isSecure: boolean): SessionCookies {
  // `__Host-`: accepted for this host only, over TLS, for all paths.
  const name = isSecure ? "__Host-holo_session" : "holo_session";
  const attributes = `Path=/; HttpOnly;${isSecure ? " Secure;" : ""} SameSite=Lax`;
  const sign = (token: string): string => createHmac("sha256", secret).update(token).digest("base64url");

  return {
    readToken(header) {
      const [, token, signature] = SIGNED.exec(header === undefined ? "" : (findCookie(header, name) ?? "")) ?? [];
      if (token === undefined || signature === undefined) return null;
      return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(token))) ? token : null;
    },
    format: (token) => `${name}=${token}.${sign(token)}; Max-Age=${SESSION_LIFE_MS / 1_000}; ${attributes}`,
    formatExpired: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

export function findCookie(header: string, name: string): string | null {
  for (const part of header.split(";")) {
    const equals = part.indexOf("=");
    if (equals !== -1 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return null;
}
