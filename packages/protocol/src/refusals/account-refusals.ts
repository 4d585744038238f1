import type { RefusalText } from "./refusal-type.ts";

export const ACCOUNT_REFUSALS = {
  login_required: { status: 401, title: "Error", text: "You must be logged in." },
  missing_credentials: { status: 422, title: "Login failed", text: "Please enter your email and password" },
  invalid_credentials: { status: 401, title: "Login failed", text: "Invalid email or password. Please try again." },
  missing_fields: { status: 422, title: "Registration failed", text: "Please fill in all required fields" },
  bad_username: {
    status: 422,
    title: "Registration failed",
    text: "A username has 3 to 20 letters, digits, _ or -",
  },
  reserved_username: {
    status: 422,
    title: "Registration failed",
    text: "That name is reserved. Please choose another.",
  },
  bad_email: { status: 422, title: "Registration failed", text: "Please enter a valid email" },
  short_password: { status: 422, title: "Registration failed", text: "Password must be at least 6 characters" },
  long_password: { status: 422, title: "Registration failed", text: "Password must be at most 128 characters" },
  common_password: {
    status: 422,
    title: "Registration failed",
    text: "Too easy to guess. Choose another.",
  },
  username_taken: { status: 409, title: "Registration failed", text: "That username is taken" },
  unusable_link: {
    status: 410,
    title: "Link not valid",
    text: "This link has expired or was replaced by a newer one. You can ask for a new one on your profile.",
  },
  link_login_required: {
    status: 403,
    title: "Log in first",
    text: "This link works only in its own account. Log in to that account with its current email, then open the link again. If you didn't ask for it, don't use it, and tell us.",
  },
  missing_email: { status: 422, title: "Error", text: "Please enter your email address" },
  unusable_reset_link: {
    status: 410,
    title: "Link not valid",
    text: "This link has expired, was already used, or was replaced by a newer one. Please ask for a new one.",
  },
  email_unchanged: { status: 409, title: "Error", text: "That's already your email." },
  second_factor_required: {
    status: 401,
    title: "Enter your code",
    text: "Please enter the code from your authenticator app.",
  },
  wrong_code: {
    status: 422,
    title: "Wrong code",
    text: "Please enter the newest code from your app. Each code works once.",
  },
  unknown_push_service: {
    status: 422,
    title: "Notices not switched on",
    text: "We don't know this browser's notice service. Please try Chrome, Edge, Firefox or Safari.",
  },
  second_factor_on: { status: 409, title: "Already on", text: "Login codes are already on." },
  second_factor_missing: {
    status: 403,
    title: "Switch on login codes first",
    text: "Staff need login codes. Switch them on under Account on your profile, then come back.",
  },
  bad_limit: { status: 422, title: "Error", text: "That's not a valid limit." },
  limit_reached: {
    status: 409,
    title: "Deposit limit reached",
    text: "Your deposit limit is {limit} a {period}. {left} left. You can change your limits on your profile.",
  },
  stake_limit: {
    status: 409,
    title: "Above your stake limit",
    text: "Your maximum stake is {stake} HC per piece. You can change your limits on your profile.",
  },
  self_excluded: {
    status: 409,
    title: "You are taking a break",
    text: "You're taking a break until {until}. You can't deposit or play. A break doesn't stop withdrawals.",
  },
  account_closing: {
    status: 409,
    title: "Your account is closing",
    text: "You've closed your account. You can't deposit or play. Closing doesn't stop withdrawals.",
  },
  game_to_finish: {
    status: 409,
    title: "Finish your game first",
    text: "You have an open game. Finish or cancel it, then close your account.",
  },
  not_settled_to_close: {
    status: 409,
    title: "Balance Not Yet Settled",
    text: "Some of your coins become available 24 hours after they arrive. You can close your account then.",
  },
  balance_changed: {
    status: 409,
    title: "Please check again",
    text: "Your balance or the rate has changed. Nothing was done. Please check the new figures.",
  },
  password_required_to_close: {
    status: 409,
    title: "Confirm it's you",
    text: "Please enter your password to close your account.",
  },
  account_open: {
    status: 409,
    title: "Error",
    text: "Please close your account first. Everything in it goes to your bank.",
  },
  coins_left: {
    status: 409,
    title: "Error",
    text: "You still have coins in your account. Please withdraw them first.",
  },
  payment_under_way: {
    status: 409,
    title: "Please wait",
    text: "One of your payments is still in progress. You can delete your account once it's done.",
  },
} as const satisfies Record<string, RefusalText>;
