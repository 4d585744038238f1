import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, formatCoins, formatNaira, type Kobo } from "@holo/kernel/money.ts";

/** What a player can be told instead of what they asked for. Its places, such as `{need}`, are filled in by `toRefusalView`. */
interface RefusalText {
  /** HTTP status where the refusal answers a request. */
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** Every refusal of the product with its words; the specification's own where it has them (section 8). */
export const REFUSALS = {
  // the wire
  bad_request: { status: 400, title: "Error", text: "That request could not be understood." },
  too_large: { status: 413, title: "Error", text: "That request is too large." },
  not_found: { status: 404, title: "Error", text: "There is nothing here." },
  method_not_allowed: { status: 405, title: "Error", text: "That cannot be done here." },
  foreign_origin: { status: 403, title: "Error", text: "That request came from another site." },
  bad_signature: { status: 401, title: "Error", text: "That is not signed as it has to be." },
  too_many_requests: {
    status: 429,
    title: "Slow down",
    text: "Too many attempts. Please wait a moment and try again.",
  },
  unavailable: { status: 503, title: "Error", text: "We are restarting. Please try again in a moment." },
  something_went_wrong: { status: 500, title: "Error", text: "Something went wrong. Please try again." },
  // accounts
  login_required: { status: 401, title: "Error", text: "You must be logged in." },
  missing_credentials: { status: 422, title: "Login failed", text: "Please enter your email and password" },
  invalid_credentials: { status: 401, title: "Login failed", text: "Invalid email or password. Please try again." },
  missing_fields: { status: 422, title: "Registration failed", text: "Please fill in all required fields" },
  bad_username: {
    status: 422,
    title: "Registration failed",
    text: "A username has 3 to 20 letters, digits, _ or -",
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
  missing_email: { status: 422, title: "Error", text: "Please enter your email address" },
  unusable_reset_link: {
    status: 410,
    title: "Link not valid",
    text: "This link has expired, was used already, or a newer one has replaced it. Please ask for a new one.",
  },
  email_unchanged: { status: 409, title: "Error", text: "That is your email already." },
  // administration
  access_denied: { status: 403, title: "Access Denied", text: "You don't have permission to view this page." },
  own_matter: {
    status: 403,
    title: "Not your own",
    text: "You cannot decide about your own account, game or money.",
  },
  bad_admin_email: { status: 422, title: "Failed to add admin email", text: "Please enter a valid email" },
  admin_listed: { status: 409, title: "Failed to add admin email", text: "That address is on the list already." },
  admins_full: { status: 409, title: "Failed to add admin email", text: "The list is full. Remove one first." },
  unknown_admin: { status: 404, title: "Failed to remove admin email", text: "That address is not on the list." },
  bad_settings: {
    status: 422,
    title: "Error",
    text: "A holocoin costs from ₦1 to ₦100,000, and the fee is from 0 % to 20 %.",
  },
  settings_changed: {
    status: 409,
    title: "Please look again",
    text: "The settings were changed meanwhile. Nothing was changed by you.",
  },
  settings_unchanged: { status: 409, title: "Error", text: "These are the settings already." },
  // the lobby
  create_login_required: { status: 401, title: "Error", text: "You must be logged in to create a match" },
  join_login_required: { status: 401, title: "Error", text: "You must be logged in to join a match" },
  cancel_login_required: { status: 401, title: "Error", text: "You must be logged in to cancel a match" },
  pending_game_exists: {
    status: 409,
    title: "Pending game exists",
    text: "You have a pending game. Please cancel it or wait for an opponent.",
  },
  active_game_exists: {
    status: 409,
    title: "Active game exists",
    text: "You already have an active game. Please finish it first.",
  },
  insufficient_to_create: {
    status: 409,
    title: "Insufficient balance",
    text: "You need {need} holocoins (you have {have})",
  },
  insufficient_to_join: {
    status: 409,
    title: "Insufficient balance",
    text: "You need {need} holocoins to join this match.",
  },
  fee_changed: {
    status: 409,
    title: "The fee has changed",
    text: "Nothing was paid. Please look at the new figures and try again.",
  },
  match_gone: {
    status: 409,
    title: "Match no longer available",
    text: "This match may have been filled by another player.",
  },
  own_game: { status: 409, title: "Error", text: "You cannot join your own match." },
  paused: {
    status: 409,
    title: "Please wait",
    text: "You cancelled or missed several games. You can start a new one in {minutes} min.",
  },
  // the table
  unknown_game: { status: 404, title: "Error", text: "There is no such game." },
  not_a_player: { status: 403, title: "Error", text: "Only its two players can do that." },
  command_id_reused: { status: 409, title: "Error", text: "That was already sent as something else." },
  game_over: { status: 409, title: "Error", text: "This game is over." },
  not_started: { status: 409, title: "Error", text: "This game has not started yet." },
  stale_version: { status: 409, title: "Error", text: "The board has changed. Please look again." },
  not_your_turn: { status: 409, title: "Error", text: "It is not your turn." },
  illegal_move: { status: 409, title: "Error", text: "That move is not legal." },
  time_up: { status: 409, title: "Time's up!", text: "Game over - time limit reached" },
  too_late_to_cancel: {
    status: 409,
    title: "Error",
    text: "Both players have made two moves. You can resign instead.",
  },
  too_early_to_resign: {
    status: 409,
    title: "Error",
    text: "You can resign once both players have made two moves. Until then you can cancel.",
  },
  // offers
  too_early_to_draw: {
    status: 409,
    title: "Error",
    text: "You can offer a draw once both players have made two moves.",
  },
  too_early_to_take_back: { status: 409, title: "Error", text: "Not enough moves to take back" },
  offer_stands: { status: 409, title: "Please wait", text: "Your opponent has not answered yet." },
  offers_refused: { status: 409, title: "Not now", text: "Your opponent wants to be asked no more in this game." },
  takebacks_spent: { status: 409, title: "Not now", text: "No more moves can be taken back in this game." },
  asked_too_soon: { status: 409, title: "Please wait", text: "You can ask again after two more moves of your own." },
  takebacks_refused: { status: 409, title: "Takeback Declined", text: "Your opponent takes no moves back." },
  no_offer: { status: 409, title: "Too late", text: "That offer is not open any more." },
  own_offer: { status: 409, title: "Error", text: "Your opponent has to answer that." },
  not_over: { status: 409, title: "Error", text: "A rematch can be offered once a game has been played to its end." },
  rematch_declined: { status: 409, title: "Rematch declined", text: "Your opponent has declined a rematch." },
  rematch_spent: { status: 409, title: "Error", text: "You have offered a rematch of this game often enough." },
  rematch_started: { status: 409, title: "Error", text: "The rematch has started already." },
  opponent_away: { status: 409, title: "Error", text: "Your opponent has left the table." },
  opponent_short: {
    status: 409,
    title: "No rematch",
    text: "Your opponent has not enough holocoins for a rematch.",
  },
  opponent_busy: { status: 409, title: "No rematch", text: "Your opponent cannot start a new game at the moment." },
  blocked_pair: { status: 409, title: "Error", text: "You and this player do not play against each other." },
  // chat
  chat_empty: { status: 422, title: "Error", text: "Please write something first." },
  chat_too_long: { status: 422, title: "Error", text: "A message has at most 200 characters." },
  chat_blocked: {
    status: 422,
    title: "Message Blocked",
    text: "Please avoid using abusive or inappropriate language.",
  },
  chat_flood: { status: 429, title: "Slow down", text: "You are writing too fast. Please wait a moment." },
  chat_failed: { status: 500, title: "Error", text: "Failed to send message. Please try again." },
  // people
  unknown_player: { status: 404, title: "Error", text: "There is no such player." },
  own_relation: { status: 422, title: "Error", text: "That cannot be said of yourself." },
  game_not_over: { status: 409, title: "Error", text: "This game is not over yet." },
  // the wallet
  deposit_login_required: { status: 401, title: "Error", text: "Please log in to make a deposit" },
  deposit_too_small: { status: 422, title: "Error", text: "Minimum deposit amount is ₦5,000" },
  withdrawal_too_small: { status: 422, title: "Error", text: "Minimum withdrawal amount is ₦5,000" },
  bad_amount: { status: 422, title: "Error", text: "Please enter a valid amount" },
  no_email: {
    status: 409,
    title: "Error",
    text: "No email found for your account. Please update your profile.",
  },
  payments_unavailable: { status: 503, title: "Error", text: "Failed to initialize payment" },
  unknown_payment: { status: 404, title: "Error", text: "There is no such payment." },
  missing_account_fields: {
    status: 422,
    title: "Error",
    text: "Please enter your account number and select a bank",
  },
  account_unverified: { status: 422, title: "Error", text: "Unable to verify account" },
  account_check_failed: { status: 503, title: "Error", text: "Failed to verify account" },
  insufficient_for_withdrawal: { status: 409, title: "Error", text: "Insufficient coins for withdrawal" },
  not_settled: {
    status: 409,
    title: "Balance Not Yet Settled",
    text: "Deposits and winnings can be withdrawn 24 hours after they arrive. Now you can withdraw {have} holocoins; {need} more within {hours} h.",
  },
  account_not_verified: { status: 409, title: "Error", text: "Please verify your account details first" },
  email_unverified: {
    status: 409,
    title: "E-mail not verified",
    text: "Please verify your e-mail address first: follow the link we mailed to you.",
  },
  password_required: {
    status: 409,
    title: "Confirm it is you",
    text: "This bank account is used for the first time. Please enter your password.",
  },
  wrong_password: { status: 422, title: "Error", text: "That is not your password." },
  debts_open: {
    status: 409,
    title: "Withdrawals are blocked",
    text: "A deposit of yours was reversed or is disputed by your bank. Nothing can be withdrawn until that is settled.",
  },
  rate_changed: {
    status: 409,
    title: "The rate has changed",
    text: "Nothing was taken. Please look at the new figures and try again.",
  },
  deposit_fee_changed: {
    status: 409,
    title: "Please look again",
    text: "What you pay beside your deposit has changed. Nothing was taken; please look at the sum again.",
  },
  not_payable: {
    status: 409,
    title: "Error",
    text: "This payment cannot be continued any more. What became of it stands in your list.",
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
  // the platform's own money
  not_in_review: { status: 409, title: "Too late", text: "This payment is not held for review any more." },
  payment_disputed: {
    status: 409,
    title: "Error",
    text: "Its payer's bank disputes this payment: until that is decided it is neither credited nor sent back.",
  },
  not_creditable: {
    status: 409,
    title: "Error",
    text: "It cannot be credited: it is not naira, was not paid after all, goes back already, or its player has left.",
  },
  reason_missing: { status: 422, title: "Error", text: "Please write down why." },
  provider_silent: {
    status: 503,
    title: "Error",
    text: "The payment provider did not do what was asked. Please try again later.",
  },
  bad_revenue_amount: { status: 422, title: "Error", text: "Invalid withdrawal amount" },
  above_revenue: { status: 409, title: "Error", text: "Withdrawal amount exceeds completed games revenue" },
  // the house
  maintenance: {
    status: 503,
    title: "Maintenance",
    text: "No new games and no deposits at the moment. Games under way go on, and you can withdraw.",
  },
  maintenance_text_missing: { status: 422, title: "Error", text: "Please write what players are to be told." },
  unknown_report: { status: 404, title: "Error", text: "There is no such report." },
  report_ended: { status: 409, title: "Too late", text: "Another admin has ended this report already." },
  block_unchanged: { status: 409, title: "Too late", text: "That has been done already. Please look again." },
  blocked_by_house: {
    status: 403,
    title: "Your account is blocked",
    text: "You can finish your game and withdraw your coins, but neither play, chat nor deposit. Write to us if you think this is wrong.",
  },
  // the native apps; the titles with their texts are the specification's 'Failed to upload: ...'
  not_a_windows_program: {
    status: 422,
    title: "Failed to upload",
    text: "This is not a Windows program (.exe).",
  },
  not_an_android_app: { status: 422, title: "Failed to upload", text: "This is not an Android app (.apk)." },
  release_too_large: { status: 413, title: "Failed to upload", text: "The file is larger than 200 MB." },
  release_length_missing: {
    status: 411,
    title: "Failed to upload",
    text: "The file has to be sent with its length.",
  },
  upload_cut_off: {
    status: 400,
    title: "Failed to upload",
    text: "The file did not arrive whole. Please upload it again.",
  },
  upload_stalled: {
    status: 408,
    title: "Failed to upload",
    text: "The file arrived too slowly. Please upload it again over a better connection.",
  },
  uploads_busy: {
    status: 429,
    title: "Failed to upload",
    text: "Other files are being uploaded. Please try again in a minute.",
  },
  bad_version: {
    status: 422,
    title: "Failed to upload",
    text: "A version has three numbers of at most four digits, such as 1.2.3.",
  },
  other_version: {
    status: 422,
    title: "Failed to upload",
    text: "The file says that it is version {version}. Please upload it as that one.",
  },
  version_taken: {
    status: 409,
    title: "Failed to upload",
    text: "There is another file of that version already. Please give the new one a version of its own.",
  },
  unknown_release: { status: 404, title: "Error", text: "There is no such version any more." },
  // what a player has set for themselves
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
} as const satisfies Record<string, RefusalText>;

export type RefusalCode = keyof typeof REFUSALS;

export interface RefusalFigures {
  readonly need?: Coins;
  readonly have?: Coins;
  readonly minutes?: number;
  readonly hours?: number;
  readonly period?: "day" | "week" | "month";
  readonly limit?: Kobo;
  readonly left?: Kobo;
  /** Whole holocoins a piece. */
  readonly stake?: number;
  readonly until?: Instant;
  readonly version?: string;
}

export interface RefusalView {
  readonly code: RefusalCode;
  readonly title: string;
  readonly text: string;
}

/** The words of a refusal with its figures: what is needed rounds up, what there is rounds down. */
export function toRefusalView(code: RefusalCode, figures: RefusalFigures = {}): RefusalView {
  const { title, text } = REFUSALS[code];
  const filled = text
    .replace("{need}", figures.need === undefined ? "" : formatCoins(figures.need, "up"))
    .replace("{have}", figures.have === undefined ? "" : formatCoins(figures.have, "down"))
    .replace("{minutes}", figures.minutes === undefined ? "" : String(figures.minutes))
    .replace("{hours}", figures.hours === undefined ? "" : String(figures.hours))
    .replace("{period}", figures.period ?? "")
    .replace("{limit}", figures.limit === undefined ? "" : formatNaira(figures.limit))
    .replace("{left}", figures.left === undefined ? "" : formatNaira(figures.left))
    .replace("{stake}", figures.stake === undefined ? "" : String(figures.stake))
    .replace("{until}", figures.until === undefined ? "" : formatUntil(figures.until))
    .replace("{version}", figures.version ?? "");
  return { code, title, text: filled };
}

const LAGOS = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "Africa/Lagos",
});

/** In the time of the product's country, named, since whoever fills this in does not know the reader's own. */
function formatUntil(at: Instant): string {
  return `${LAGOS.format(at)} (Lagos time)`;
}
