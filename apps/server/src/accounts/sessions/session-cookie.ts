import { createHmac, timingSafeEqual } from "node:crypto";

/** `__Host-`: accepted for this host only, over TLS, for all paths. */
export function toCookieName(secureCookies: boolean): string {
  return secureCookies ? "__Host-holo_session" : "holo_session";
}

export function findCookie(header: string, name: string): string | null {
  for (const part of header.split(";")) {
    const equals = part.indexOf("=");
    if (equals !== -1 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return null;
}

const SIGNED = /^([A-Za-z0-9_-]{16,64})\.([A-Za-z0-9+/]{43}=)$/;

/**
 * The token of a correctly signed session cookie; null if there is none. Needs no query.
 * `login.ts` sets it by `auth-library.ts`: URI-encoded `token.signature`, a base64 HMAC-SHA-256.
 */
export function parseSessionToken(header: string | undefined, name: string, secret: string): string | null {
  const value = header === undefined ? null : findCookie(header, name);
  if (value === null || value.length > 200) return null;
  const [, token, signature] =
    SIGNED.exec(value.replaceAll("%2B", "+").replaceAll("%2F", "/").replaceAll("%3D", "=")) ?? [];
  if (token === undefined || signature === undefined) return null;
  const expected = createHmac("sha256", secret).update(token).digest();
  return timingSafeEqual(Buffer.from(signature, "base64"), expected) ? token : null;
}

export function formatExpiredCookie(name: string, secure: boolean): string {
  return `${name}=; Max-Age=0; Path=/; HttpOnly${secure ? "; Secure" : ""}; SameSite=Lax`;
}
