import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import type { QueueMail } from "../platform/mail/outbox.ts";
import type { Time } from "../platform/time/time.ts";
import type { Hashing } from "./password/hashing.ts";
import type { AccountRateLimiters } from "./rate-limits.ts";
import type { RegistrationBlocks } from "./registration/registration-blocks.ts";
import type { Codes } from "./second-factor/codes.ts";
import type { DeviceCookies } from "./sessions/device-cookie.ts";
import type { LoginThrottle } from "./sessions/login-throttle.ts";
import type { SessionCache } from "./sessions/session-cache.ts";
import type { SessionCookies } from "./sessions/session-cookie.ts";
import type { Traces } from "./traces/traces.ts";

export interface Client {
  /** The client's network address, IPv6 cut to /64. */
  readonly address: string;
  readonly userAgent: string;
  readonly cookie: string | undefined;
}

export interface AccountPartDeps {
  readonly database: Database;
  readonly time: Time;
  /** The clock of limits and self-exclusions. */
  readonly tableTime: Time;
  /** The configured origin: links never use the request's Host header. */
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
  readonly registrationBlocks: RegistrationBlocks;
  readonly rateLimiters: AccountRateLimiters;
  readonly loginThrottle: LoginThrottle;
  readonly hashing: Hashing;
  readonly devices: DeviceCookies;
  readonly codes: Codes;
  readonly traces: Traces;
  readonly onPlayerCreated: (tx: Tx, playerId: PlayerId, at: Instant) => Promise<void>;
  readonly sessionCache: SessionCache;
  /** Called after the commit. */
  readonly onSessionsEnded: (playerId: PlayerId) => void;
  readonly sessionCookies: SessionCookies;
}
