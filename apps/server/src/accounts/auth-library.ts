import { AsyncLocalStorage } from "node:async_hooks";
import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { betterAuth } from "better-auth";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import type { Database, Queries, Tx } from "../platform/database/database.ts";
import { toTimestamp } from "../platform/database/timestamp.ts";
import { randomUUID } from "../platform/runtime.ts";
import { hashPassword, isPassword } from "./password/password-hash.ts";

/** Since the last renewal. */
const SESSION_LIFE_SECONDS = 7 * 24 * 60 * 60;
export const SESSION_RENEWAL_SECONDS = 24 * 60 * 60;

interface AuthLibraryOptions {
  readonly database: Database;
  /** Signs session cookies. Anyone who knows it and a token can impersonate its owner. */
  readonly secret: string;
  readonly publicUrl: string;
  readonly cookieName: string;
  readonly secureCookies: boolean;
}

interface NewUser {
  readonly id: PlayerId;
  readonly username: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly passwordHash: string;
}

/** The users and credentials of the auth library, written in the caller's transaction. */
interface AuthUsers {
  create(tx: Tx, user: NewUser, at: Instant): Promise<void>;
  setPasswordHash(tx: Tx, playerId: PlayerId, passwordHash: string): Promise<void>;
  /** Sets a verified address. The caller has checked that a new one is free. */
  setVerifiedEmail(tx: Tx, playerId: PlayerId, email: string, at: Instant): Promise<void>;
}

export type AuthLibrary = ReturnType<typeof openAuthLibrary>;

/**
 * The auth library on our tables. Its routes are never mounted: ours have their own limits,
 * refusals and origin checks. docs/decisions/accounts.md lists what it does and what it cannot do.
 */
export function openAuthLibrary(options: AuthLibraryOptions) {
  const transactions = new AsyncLocalStorage<Tx>();
  const library = configure(options, openTransactionalKysely(options.database.kysely, transactions));

  async function openAdapter() {
    return (await library.$context).internalAdapter;
  }

  const users: AuthUsers = {
    async create(tx, { id, username, email, emailVerified, passwordHash }, at) {
      const stamps = { createdAt: toTimestamp(at), updatedAt: toTimestamp(at) };
      const adapter = await openAdapter();
      await transactions.run(tx, async () => {
        const user = { id, name: username, email, emailVerified, ...stamps };
        await adapter.createUser(user, { method: "email-password" });
        await adapter.linkAccount({
          userId: id,
          accountId: id,
          providerId: "credential",
          password: passwordHash,
          ...stamps,
        });
      });
    },

    async setPasswordHash(tx, playerId, passwordHash) {
      const adapter = await openAdapter();
      await transactions.run(tx, () => adapter.updatePassword(playerId, passwordHash));
    },

    async setVerifiedEmail(tx, playerId, email, at) {
      const adapter = await openAdapter();
      const change = { email, emailVerified: true, updatedAt: toTimestamp(at) };
      const user = await transactions.run(tx, () => adapter.updateUser(playerId, change));
      assert(user !== null, `player ${playerId} has no account`);
    },
  };

  return { api: library.api, users };
}

const TIMES = { createdAt: "created_at", updatedAt: "updated_at" } as const;

function configure({ database, secret, publicUrl, cookieName, secureCookies }: AuthLibraryOptions, kysely: Queries) {
  return betterAuth({
    database: { db: kysely, type: "postgres" },
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

/** Executes every query in the current transaction, if there is one. */
function openTransactionalKysely(queries: Queries, transactions: AsyncLocalStorage<Tx>): Queries {
  const connection: DatabaseConnection = {
    executeQuery: <Row>(query: CompiledQuery) =>
      (transactions.getStore() ?? queries).executeQuery(query as CompiledQuery<Row>),
    streamQuery: () => {
      throw new Error("the auth library streams nothing");
    },
  };
  const refuse = async (): Promise<void> => {
    throw new Error("only `transact` opens a transaction");
  };
  const driver: Driver = {
    init: async () => undefined,
    acquireConnection: async () => connection,
    releaseConnection: async () => undefined,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => undefined,
  };
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
