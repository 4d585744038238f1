import { randomUUID } from "node:crypto";
import { betterAuth } from "better-auth";
import type { Database } from "../../platform/database/database.ts";
import { hashPassword, isPassword } from "../password/password-hash.ts";
import { SESSION_LIFE_SECONDS, SESSION_RENEWAL_SECONDS } from "./session-life.ts";

export interface AuthLibraryOptions {
  readonly database: Database;
  /** Signs session cookies. Anyone who knows it and a token can impersonate its owner. */
  readonly secret: string;
  readonly publicUrl: string;
  readonly cookieName: string;
  /** Sends the cookie over TLS only. */
  readonly secureCookies: boolean;
}

const TIMES = { createdAt: "created_at", updatedAt: "updated_at" } as const;

/**
 * The auth library on our tables. Its routes are never mounted: ours have their own limits,
 * refusals and origin checks.
 */
export function openAuthLibrary({ database, secret, publicUrl, cookieName, secureCookies }: AuthLibraryOptions) {
  return betterAuth({
    database: { db: database.kysely, type: "postgres" },
    secret,
    baseURL: publicUrl,
    basePath: "/api",
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: {
      level: "error",
      log: (_level, message, ...facts) =>
        database.log.error({ err: facts.find((fact) => fact instanceof Error) }, message),
    },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      password: { hash: hashPassword, verify: ({ password, hash }) => isPassword(password, hash) },
    },
    session: {
      modelName: "auth_sessions",
      expiresIn: SESSION_LIFE_SECONDS,
      updateAge: SESSION_RENEWAL_SECONDS,
      fields: {
        ...TIMES,
        expiresAt: "expires_at",
        userId: "user_id",
        ipAddress: "ip_address",
        userAgent: "user_agent",
      },
    },
    user: { modelName: "auth_users", fields: { ...TIMES, emailVerified: "email_verified" } },
    account: {
      modelName: "auth_accounts",
      fields: {
        ...TIMES,
        userId: "user_id",
        accountId: "account_id",
        providerId: "provider_id",
        accessToken: "access_token",
        refreshToken: "refresh_token",
        idToken: "id_token",
        accessTokenExpiresAt: "access_token_expires_at",
        refreshTokenExpiresAt: "refresh_token_expires_at",
      },
    },
    verification: { modelName: "auth_verifications", fields: { ...TIMES, expiresAt: "expires_at" } },
    advanced: {
      database: { generateId: () => randomUUID() },
      // Prevents the library's own prefix: the name is complete (`__Host-` if secure).
      useSecureCookies: false,
      cookies: { session_token: { name: cookieName, attributes: { secure: secureCookies } } },
      ipAddress: { ipAddressHeaders: ["x-forwarded-for"] },
    },
  });
}

export type AuthLibrary = ReturnType<typeof openAuthLibrary>;
