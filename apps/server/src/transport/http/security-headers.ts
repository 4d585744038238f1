import type { MiddlewareHandler } from "hono";

interface HeaderOptions {
  readonly publicUrl: string;
  /** Sends HSTS. */
  readonly hasTls: boolean;
}

/** The content security policy: own origin only, no inline scripts or styles. */
function toSecurityHeaders({ publicUrl, hasTls }: HeaderOptions): Readonly<Record<string, string>> {
  // Older Safari does not include sockets of the same origin in 'self'.
  const socketOrigin = publicUrl.replace(/^http/, "ws");
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "media-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    `connect-src 'self' ${socketOrigin}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    ...(hasTls ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
  };
}

const POLICY = "content-security-policy";

/** Adds security headers to every response; a response's own policy is kept. */
export function secureHeaders(options: HeaderOptions): MiddlewareHandler {
  const headers = Object.entries(toSecurityHeaders(options));
  return async (context, next) => {
    await next();
    const given = context.res.headers.get(POLICY);
    for (const [name, value] of headers) context.res.headers.set(name, value);
    if (given !== null) context.res.headers.set(POLICY, given);
  };
}
