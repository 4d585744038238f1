import { type Accounts, type AccountsOptions, DEVELOPMENT_RATE_LIMITS, openAccounts } from "../accounts.ts";

/** Where the players of a test's accounts reach the arena. */
export const PUBLIC_URL = "https://play.arena.example";

/** Accounts as outside production. What a test does not name comes to nothing: no wallet is opened, no mail is kept. */
export function openTestAccounts(
  options: Pick<AccountsOptions, "database" | "time"> & Partial<AccountsOptions>,
): Accounts {
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
