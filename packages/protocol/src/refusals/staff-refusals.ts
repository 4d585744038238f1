import type { RefusalText } from "./refusal-type.ts";

/** Refusals to staff, and refusals of staff decisions to players; part of REFUSALS. */
export const STAFF_REFUSALS = {
  // administration
  access_denied: { status: 403, title: "Access Denied", text: "You don't have permission to view this page." },
  own_matter: {
    status: 403,
    title: "Not your own",
    text: "You cannot decide about your own account, game or money.",
  },
  admin_matter: { status: 403, title: "For the CEO", text: "This concerns an admin. Only the CEO decides it." },
  ceo_matter: { status: 403, title: "The CEO's own", text: "Nobody else looks into the CEO's account, or blocks it." },
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
  // platform revenue
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
  deposit_barred: {
    status: 409,
    title: "Not credited",
    text: "This player may not make deposits now. Please send the payment back.",
  },
  beyond_own_limit: {
    status: 409,
    title: "Error",
    text: "It cannot be credited: it is more than its player lets themselves deposit. It can be refunded.",
  },
  figures_changed: {
    status: 409,
    title: "Please look again",
    text: "These figures have changed in the meantime. Please look at the new ones first.",
  },
  nothing_left_behind: {
    status: 409,
    title: "Too late",
    text: "Nothing is left in this wallet that could be sent, or its player has not left.",
  },
  no_account_kept: {
    status: 409,
    title: "Error",
    text: "Where this player was paid last is not kept. The CEO can send it to an account they name.",
  },
  cancellation_unknown: {
    status: 503,
    title: "Please look again",
    text: "The server cannot say yet whether the game was cancelled. Open it in a minute: if it still goes on, cancel it again.",
  },
  reason_missing: { status: 422, title: "Error", text: "Please write down why." },
  provider_silent: {
    status: 503,
    title: "Error",
    text: "The payment provider did not do what was asked. Please try again later.",
  },
  bad_revenue_amount: { status: 422, title: "Error", text: "Invalid withdrawal amount" },
  above_provider_cover: {
    status: 409,
    title: "Not enough at the provider",
    text: "The provider would hold less than players are owed at today's rate. Please withdraw less.",
  },
  above_revenue: { status: 409, title: "Error", text: "Withdrawal amount exceeds completed games revenue" },
  // staff
  maintenance: {
    status: 503,
    title: "Maintenance",
    text: "No new games and no deposits at the moment. Games under way go on, and you can withdraw.",
  },
  maintenance_text_missing: { status: 422, title: "Error", text: "Please write what players are to be told." },
  unknown_report: { status: 404, title: "Error", text: "There is no such report." },
  report_ended: { status: 409, title: "Too late", text: "Another admin has ended this report already." },
  block_unchanged: { status: 409, title: "Too late", text: "That has been done already. Please look again." },
  hold_unchanged: { status: 409, title: "Too late", text: "That has been done already. Please look again." },
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
  storage_full: {
    status: 507,
    title: "Failed to upload",
    text: "The server has no space left for files, or may not write them. Please tell the person who runs it.",
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
  current_release_changed: {
    status: 409,
    title: "Current version not changed",
    text: "Somebody else changed the current version a moment ago. Please look at it and choose again.",
  },
  unknown_release: { status: 404, title: "Error", text: "There is no such version any more." },
} as const satisfies Record<string, RefusalText>;
