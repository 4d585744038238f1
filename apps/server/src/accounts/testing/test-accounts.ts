import { type Accounts, type AccountsDeps, DEVELOPMENT_RATE_LIMITS, openAccounts } from "../accounts.ts";

export const PUBLIC_URL = "https://play.arena.example";

/** Accounts with development settings; no wallets and no mails by default. */
export function openTestAccounts(options: Pick<AccountsDeps, "database" | "time"> & Partial<AccountsDeps>): Accounts {
  return openAccounts({
    secret: "a secret of at least thirty-two characters",
    publicUrl: PUBLIC_URL,
    secureCookies: false,
    rateLimits: DEVELOPMENT_RATE_LIMITS,
    onPlayerCreated: async () => {},
    queueMail: async () => {},
    ...options,
  });
}
