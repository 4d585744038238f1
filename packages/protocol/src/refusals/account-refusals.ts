import type { RefusalText } from "./refusal-type.ts";

/** Refusals of registration, login, limits and account deletion; part of REFUSALS. */
export const ACCOUNT_REFUSALS = {
  // accounts
  login_required: { status: 401, title: "Error", text: "You must be logged in." },
  missing_credentials: { status: 422, title: "Login failed", text: "Please enter your email and password" },
  invalid_credentials: { status: 401, title: "Login failed", text: "Invalid email or password. Please try again." },
  work_required: {
    status: 429,
    title: "Very busy right now",
    text: "Many people are logging in at this moment. Please try again in a few seconds.",
  },
  missing_fields: { status: 422, title: "Registration failed", text: "Please fill in all required fields" },
  bad_username: {
    status: 422,
    title: "Registration failed",
    text: "A username has 3 to 20 letters, digits, _ or -",
  },
  reserved_username: {
    status: 422,
    title: "Registration failed",
    text: "That name is kept for our team. Please choose another.",
  },
  bad_email: { status: 422, title: "Registration failed", text: "Please enter a valid email" },
  short_password: { status: 422, title: "Registration failed", text: "Password must be at least 6 characters" },
  long_password: { status: 422, title: "Registration failed", text: "Password must be at most 128 characters" },
  common_password: {
    status: 422,
    title: "Registration failed",
    text: "That password is on every list of common passwords. Please choose another.",
  },
  username_taken: { status: 409, title: "Registration failed", text: "That username is taken" },
  unusable_link: {
    status: 410,
    title: "Link not valid",
    text: "This link has expired, or a newer one has replaced it. You can ask for a new one on your profile.",
  },
  link_login_required: {
    status: 403,
    title: "Log in first",
    text: "This address belongs to the people who run the arena. Log in to your account, then open the link again. If you made no account with it, leave the link alone and tell us.",
  },
  missing_email: { status: 422, title: "Error", text: "Please enter your email address" },
  unusable_reset_link: {
    status: 410,
    title: "Link not valid",
    text: "This link has expired, was used already, or a newer one has replaced it. Please ask for a new one.",
  },
  email_unchanged: { status: 409, title: "Error", text: "That is your email already." },
  second_factor_required: {
    status: 401,
    title: "Enter your code",
    text: "Please enter the code from your authenticator app.",
  },
  wrong_code: {
    status: 422,
    title: "Wrong code",
    text: "That code is not right, or was used already. Please enter the newest one.",
  },
  second_factor_on: { status: 409, title: "Already on", text: "Login codes are on already." },
  second_factor_missing: {
    status: 403,
    title: "Switch on login codes first",
    text: "Staff work with login codes only. Switch them on under Account on your profile, then come back.",
  },
  // limits and self-exclusion
  bad_limit: { status: 422, title: "Error", text: "That cannot be a limit." },
  limit_reached: {
    status: 409,
    title: "Deposit limit reached",
    text: "You let yourself deposit {limit} a {period}. Of that {left} is left now. You can change your limits on your profile.",
  },
  stake_limit: {
    status: 409,
    title: "Above your stake limit",
    text: "You let yourself play for at most {stake} HC a piece. You can change your limits on your profile.",
  },
  self_excluded: {
    status: 409,
    title: "You are taking a break",
    text: "You have excluded yourself until {until}. Until then you can withdraw, but neither deposit nor play.",
  },
  // closing an account
  account_closing: {
    status: 409,
    title: "Your account is closing",
    text: "You have closed your account. You can still withdraw, but neither deposit nor play.",
  },
  game_to_finish: {
    status: 409,
    title: "Error",
    text: "You have an open game. Please finish or cancel it before you close your account.",
  },
  not_settled_to_close: {
    status: 409,
    title: "Balance Not Yet Settled",
    text: "Some of your coins are held until 24 hours after they arrived. You can close your account once all of them are free.",
  },
  balance_changed: {
    status: 409,
    title: "Please look again",
    text: "Your balance or the rate has changed meanwhile. Nothing was done; please look at the figures again.",
  },
  password_required_to_close: {
    status: 409,
    title: "Confirm it is you",
    text: "Please enter your password to close your account.",
  },
  // deleting an account
  account_open: {
    status: 409,
    title: "Error",
    text: "Please close your account first: all that is in it goes to your bank.",
  },
  coins_left: {
    status: 409,
    title: "Error",
    text: "There are still coins in your account. Please withdraw them first.",
  },
  payment_under_way: {
    status: 409,
    title: "Please wait",
    text: "A payment of yours is still under way. You can delete your account once it has ended.",
  },
} as const satisfies Record<string, RefusalText>;
