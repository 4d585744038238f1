import { toInstant } from "@holo/kernel/instant.ts";
import { toCoins, toKobo } from "@holo/kernel/money.ts";
import { describe, expect, it, test } from "vitest";
import { ACCOUNT_REFUSALS } from "./account-refusals.ts";
import { GAME_REFUSALS } from "./game-refusals.ts";
import { REFUSALS, type RefusalCode, toRefusalView } from "./refusals.ts";
import { STAFF_REFUSALS } from "./staff-refusals.ts";
import { WALLET_REFUSALS } from "./wallet-refusals.ts";
import { WIRE_REFUSALS } from "./wire-refusals.ts";

test("every refusal is in exactly one list", () => {
  const lists = [WIRE_REFUSALS, ACCOUNT_REFUSALS, GAME_REFUSALS, WALLET_REFUSALS, STAFF_REFUSALS];
  expect(lists.flatMap((list) => Object.keys(list)).sort()).toEqual(Object.keys(REFUSALS).sort());
});

test("every refusal has a title, a text and a status", () => {
  for (const { status, title, text } of Object.values(REFUSALS)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(title).not.toBe("");
    expect(text).not.toBe("");
  }
});

test("fills in figures: needed amounts rounded up, available ones down", () => {
  const figures = { need: toCoins(17_184_000n), have: toCoins(17_183_999n) };
  expect(toRefusalView("insufficient_to_create", figures).text).toBe("You need 17.19 holocoins (you have 17.18)");
  expect(toRefusalView("paused", { minutes: 5 }).text).toContain("in 5 min");
});

test("fills in every placeholder of every text", () => {
  const coins = { need: toCoins(1n), have: toCoins(1n), stake: 1 };
  const times = { minutes: 1, hours: 1, count: 3, period: "day", until: toInstant(0), version: "1.2.3" } as const;
  const figures = { ...coins, ...times, limit: toKobo(1n), left: toKobo(0n) };
  for (const code of Object.keys(REFUSALS) as RefusalCode[]) {
    expect(toRefusalView(code, figures).text).not.toMatch(/[{}]/);
  }
});

test("states a player's own limits in naira, holocoins and Lagos time", () => {
  const limit = { period: "week", limit: toKobo(2_000_000n), left: toKobo(150_050n) } as const;
  expect(toRefusalView("limit_reached", limit).text).toContain("deposit limit is ₦20,000 a week. ₦1,500.50 left.");
  expect(toRefusalView("stake_limit", { stake: 2 }).text).toContain("2 HC per piece");
  const until = toInstant(Date.UTC(2026, 10, 24, 17, 30));
  expect(toRefusalView("self_excluded", { until }).text).toContain("until 24 Nov 2026, 18:30 (Lagos time).");
});

/** As sections 5 and 8 of the specification spell them, with figures filled in. */
const SPECIFIED: readonly (readonly [RefusalCode, title: string, text: string])[] = [
  ["missing_credentials", "Login failed", "Please enter your email and password"],
  ["invalid_credentials", "Login failed", "Invalid email or password. Please try again."],
  ["missing_fields", "Registration failed", "Please fill in all required fields"],
  ["short_password", "Registration failed", "Password must be at least 6 characters"],
  ["missing_email", "Error", "Please enter your email address"],
  ["access_denied", "Access Denied", "You don't have permission to view this page."],
  ["bad_admin_email", "Failed to add admin email", "Please enter a valid email"],
  ["unknown_admin", "Failed to remove admin email", "That email isn't on the list."],
  ["create_login_required", "Error", "You must be logged in to create a match"],
  ["join_login_required", "Error", "You must be logged in to join a match"],
  ["cancel_login_required", "Error", "You must be logged in to cancel a match"],
  ["pending_game_exists", "Pending game exists", "You have a pending game. Please cancel it or wait for an opponent."],
  ["active_game_exists", "Active game exists", "You already have an active game. Please finish it first."],
  ["insufficient_to_create", "Insufficient balance", "You need 64.44 holocoins (you have 64.00)"],
  ["insufficient_to_join", "Insufficient balance", "You need 64.44 holocoins to join this match."],
  ["match_gone", "Match no longer available", "This match may have been filled by another player."],
  ["time_up", "Time's up!", "Game over - time limit reached"],
  ["too_early_to_take_back", "Error", "Not enough moves to take back"],
  ["chat_blocked", "Message Blocked", "Please avoid using abusive or inappropriate language."],
  ["deposit_login_required", "Error", "Please log in to make a deposit"],
  ["deposit_too_small", "Error", "Minimum deposit amount is ₦5,000"],
  ["no_email", "Error", "No email found for your account. Please update your profile."],
  ["payments_unavailable", "Error", "Failed to initialize payment"],
  ["withdrawal_too_small", "Error", "Minimum withdrawal amount is ₦5,000"],
  ["insufficient_for_withdrawal", "Error", "Insufficient coins for withdrawal"],
  ["account_not_verified", "Error", "Please verify your account details first"],
  ["missing_account_fields", "Error", "Please enter your account number and select a bank"],
  ["unknown_bank_account", "Error", "Unable to verify account"],
  ["account_check_failed", "Error", "Failed to verify account"],
  ["bad_revenue_amount", "Error", "Invalid withdrawal amount"],
  ["above_revenue", "Error", "Withdrawal amount exceeds completed games revenue"],
];

describe("a refusal that the specification words", () => {
  // [ERR-14 §8 r21] Creating during an active game shows 'Active game exists: You already have an active game. Please
  // finish it first.'.
  it.each(SPECIFIED)(
    "has exactly that text: %s [VALID-06 VALID-07 VALID-09 VALID-13 ERR-14 ERR-28 ERR-34]",
    (code, title, text) => {
      const figures = { need: toCoins(64_440_000n), have: toCoins(64_000_000n) };
      expect(toRefusalView(code, figures)).toEqual({ code, title, text });
    },
  );
});
