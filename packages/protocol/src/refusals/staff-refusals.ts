import type { RefusalText } from "./refusal-type.ts";

export const STAFF_REFUSALS = {
  access_denied: { status: 403, title: "Access Denied", text: "You don't have permission to view this page." },
  own_matter: {
    status: 403,
    title: "Not your own",
    text: "You can't decide about your own account, game or money.",
  },
  admin_matter: { status: 403, title: "For the CEO", text: "This is about an admin. Only the CEO can decide it." },
  ceo_matter: { status: 403, title: "The CEO's own", text: "Only the CEO can open the CEO's account." },
  bad_admin_email: { status: 422, title: "Failed to add admin email", text: "Please enter a valid email" },
  admin_listed: { status: 409, title: "Failed to add admin email", text: "That email is already on the list." },
  admins_full: { status: 409, title: "Failed to add admin email", text: "The list is full. Remove one first." },
  unknown_admin: { status: 404, title: "Failed to remove admin email", text: "That email isn't on the list." },
  bad_settings: {
    status: 422,
    title: "Error",
    text: "A holocoin costs from ₦1 to ₦100,000, and the fee is from 0 % to 20 %.",
  },
  settings_changed: {
    status: 409,
    title: "Please check again",
    text: "Someone else just changed the settings. Your change was not made.",
  },
  settings_unchanged: { status: 409, title: "Error", text: "Those are the current settings." },
  // platform revenue
  not_with_staff: { status: 409, title: "Too late", text: "This payment is no longer with staff." },
  correction_impossible: {
    status: 409,
    title: "Not possible",
    text: "This payment doesn't allow that now. Please look at its facts again.",
  },
  facts_changed: {
    status: 409,
    title: "Please check again",
    text: "The provider reported something new about this payment. Please look at its facts again.",
  },
  second_member_needed: {
    status: 403,
    title: "A second member is needed",
    text: "Someone else of the staff confirms this.",
  },
  confirmed_too_early: {
    status: 409,
    title: "Not yet",
    text: "You're the only member, so you can confirm this one hour after you ordered it.",
  },
  dispute_over: { status: 409, title: "Too late", text: "This dispute can't be answered any more." },
  deposit_barred: {
    status: 409,
    title: "Not credited",
    text: "This player can't make deposits right now. Please refund the payment.",
  },
  beyond_own_limit: {
    status: 409,
    title: "Error",
    text: "It can't be credited: it's above the player's own deposit limit. You can refund it.",
  },
  figures_changed: {
    status: 409,
    title: "Please check again",
    text: "These figures have changed. Please check the new ones first.",
  },
  nothing_left_behind: {
    status: 409,
    title: "Too late",
    text: "There's nothing in this wallet to send, or its player hasn't deleted their account.",
  },
  no_account_kept: {
    status: 409,
    title: "Error",
    text: "We no longer know which account this player was last paid to. The CEO can name one.",
  },
  cancellation_unknown: {
    status: 503,
    title: "Please check again",
    text: "We don't know yet whether the game was cancelled. Open it in a minute: if it's still running, cancel it again.",
  },
  reason_missing: { status: 422, title: "Error", text: "Please write the reason." },
  provider_silent: {
    status: 503,
    title: "Error",
    text: "The payment provider refused this. Please try again later.",
  },
  bad_revenue_amount: { status: 422, title: "Error", text: "Invalid withdrawal amount" },
  above_provider_cover: {
    status: 409,
    title: "Not enough at the provider",
    text: "The provider would hold less than players are owed at today's rate. Please withdraw less.",
  },
  above_revenue: { status: 409, title: "Error", text: "Withdrawal amount exceeds completed games revenue" },
  maintenance: {
    status: 503,
    title: "Maintenance",
    text: "No new games or deposits at the moment. Games in progress go on, and you can withdraw.",
  },
  maintenance_text_missing: { status: 422, title: "Error", text: "Please write a message for players." },
  unknown_report: { status: 404, title: "Error", text: "We can't find that report." },
  report_ended: { status: 409, title: "Too late", text: "Another admin has already ended this report." },
  block_unchanged: { status: 409, title: "Too late", text: "That's already done. Please check again." },
  ban_changed: {
    status: 409,
    title: "Please check again",
    text: "This may be another block than the one you saw. Please reload the page and read its reason first.",
  },
  hold_unchanged: { status: 409, title: "Too late", text: "That's already done. Please check again." },
  hold_changed: {
    status: 409,
    title: "Please check again",
    text: "This hold was released, and there's a new one. Please read its reason first.",
  },
  // fair play
  unknown_case: { status: 404, title: "Error", text: "We can't find that case." },
  case_over: {
    status: 409,
    title: "Too late",
    text: "This case has ended meanwhile. Please look at it again.",
  },
  never_forfeited: {
    status: 409,
    title: "Not possible",
    text: "Coins of such a case are never forfeited. You can clear it or leave a note.",
  },
  forfeit_proposed: {
    status: 409,
    title: "Please check again",
    text: "Someone proposed to forfeit these coins. Confirm or withdraw that first.",
  },
  proposal_over: {
    status: 409,
    title: "Please check again",
    text: "This proposal was withdrawn meanwhile. Please look at the case again.",
  },
  two_members_needed: {
    status: 409,
    title: "Two members are needed",
    text: "Only two members of staff together can forfeit coins, and you're the only one.",
  },
  third_member_needed: {
    status: 403,
    title: "A third member is needed",
    text: "You decided this case. Someone else answers the appeal.",
  },
  nothing_to_forfeit: {
    status: 409,
    title: "Nothing left",
    text: "None of these coins are in the player's wallet any more.",
  },
  no_appeal: { status: 409, title: "No appeal", text: "The player hasn't appealed." },
  appeal_answered: { status: 409, title: "Too late", text: "Someone has already answered this appeal." },
  appeal_unpayable: {
    status: 409,
    title: "Not enough revenue",
    text: "The platform's earnings don't cover this yet. Please accept the appeal later.",
  },
  maintenance_changed: {
    status: 409,
    title: "Please check again",
    text: "Someone else has just changed the maintenance. Your change was not made.",
  },
  banned: {
    status: 403,
    title: "Your account is blocked",
    text: "You can finish your game, but you can't start another, chat or deposit. The block doesn't stop withdrawals. Write to us if you think this is wrong.",
  },
  // the native apps; the titles with their texts are the specification's 'Failed to upload: ...'
  not_a_windows_program: {
    status: 422,
    title: "Failed to upload",
    text: "This is not a Windows program (.exe).",
  },
  not_an_android_app: { status: 422, title: "Failed to upload", text: "This is not an Android app (.apk)." },
  other_app: {
    status: 422,
    title: "Failed to upload",
    text: "This is another app, not Holo Arena. Please choose a file of our own build.",
  },
  unsigned_app: {
    status: 422,
    title: "Failed to upload",
    text: "This app is not signed, so phones can't install it. Please sign it with the release key.",
  },
  other_certificate: {
    status: 422,
    title: "Failed to upload",
    text: "This app is not signed with the release key. Please build it with that key.",
  },
  release_too_large: { status: 413, title: "Failed to upload", text: "The file is larger than 200 MB." },
  release_length_missing: {
    status: 411,
    title: "Failed to upload",
    text: "The file has to be sent with its length.",
  },
  upload_cut_off: {
    status: 400,
    title: "Failed to upload",
    text: "The file arrived incomplete. Please upload it again.",
  },
  upload_stalled: {
    status: 408,
    title: "Failed to upload",
    text: "The file arrived too slowly. Please upload it again over a better connection.",
  },
  storage_full: {
    status: 507,
    title: "Failed to upload",
    text: "The server can't store the file: no space, or no permission. Please tell the person who runs it.",
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
    text: "The file says it's version {version}. Please upload it as that version.",
  },
  version_taken: {
    status: 409,
    title: "Failed to upload",
    text: "Another file already has that version. Please give the new one its own version.",
  },
  current_release_changed: {
    status: 409,
    title: "Current version not changed",
    text: "Someone else just changed the current version. Please check it and choose again.",
  },
  foreign_release: {
    status: 409,
    title: "Current version not changed",
    text: "This app is not signed with the release key. Please upload one that is, and choose it.",
  },
  unknown_release: { status: 404, title: "Error", text: "That version no longer exists." },
} as const satisfies Record<string, RefusalText>;
