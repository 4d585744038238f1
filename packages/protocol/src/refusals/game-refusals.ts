import type { RefusalText } from "./refusal-type.ts";

/** What is refused in the lobby, at a table and between players; part of REFUSALS (refusals.ts). */
export const GAME_REFUSALS = {
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
    text: "You haven't paid anything. Please check the new figures and try again.",
  },
  match_gone: {
    status: 409,
    title: "Match no longer available",
    text: "This match may have been filled by another player.",
  },
  creator_away: {
    status: 409,
    title: "Match not available",
    text: "The player who created this match is away. Please choose another match.",
  },
  unknown_invitation: {
    status: 404,
    title: "Invitation not found",
    text: "This link is not complete or not valid. Please ask your friend to send it again.",
  },
  own_game: { status: 409, title: "Error", text: "You cannot join your own match." },
  paused: {
    status: 409,
    title: "Please wait",
    text: "You cancelled or missed too many games. You can start a new one in {minutes} min.",
  },
  deposit_disputed: {
    status: 409,
    title: "You cannot play right now",
    text: "Your bank disputes one of your deposits. You can play and withdraw again once that's settled. You can deposit at any time.",
  },
  debt_open: {
    status: 409,
    title: "You cannot play right now",
    text: "One of your deposits was reversed, so you owe {need} holocoins. Your next deposit repays that first. Then you can play again.",
  },
  // the table
  unknown_game: { status: 404, title: "Error", text: "We can't find that game." },
  not_a_player: { status: 403, title: "Error", text: "Only the two players can do that." },
  command_id_reused: { status: 409, title: "Error", text: "That was already sent with other content." },
  game_over: { status: 409, title: "Error", text: "This game is over." },
  not_started: { status: 409, title: "Error", text: "This game has not started yet." },
  stale_version: { status: 409, title: "Error", text: "The board has changed. Please check your move." },
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
  offer_stands: { status: 409, title: "Please wait", text: "Your opponent hasn't answered yet." },
  offers_refused: { status: 409, title: "Not now", text: "Your opponent has turned off further offers." },
  takebacks_spent: {
    status: 409,
    title: "Not now",
    text: "No takebacks are left. Each player has 10 in a game.",
  },
  asked_too_soon: { status: 409, title: "Please wait", text: "You can ask again after two more moves of your own." },
  takebacks_refused: { status: 409, title: "Takeback Declined", text: "Your opponent doesn't allow takebacks." },
  no_offer: { status: 409, title: "Too late", text: "That offer is no longer open." },
  own_offer: { status: 409, title: "Error", text: "Only your opponent can answer that." },
  not_over: { status: 409, title: "Error", text: "A rematch can be offered once a game has been played to its end." },
  rematch_declined: { status: 409, title: "Rematch declined", text: "Your opponent has declined a rematch." },
  rematch_spent: { status: 409, title: "Error", text: "You can't offer another rematch of this game." },
  rematch_started: { status: 409, title: "Error", text: "The rematch has already started." },
  opponent_away: { status: 409, title: "Error", text: "Your opponent has left the table." },
  opponent_short: {
    status: 409,
    title: "No rematch",
    text: "Your opponent doesn't have enough holocoins for a rematch.",
  },
  opponent_busy: { status: 409, title: "No rematch", text: "Your opponent can't start a new game right now." },
  blocked_pair: { status: 409, title: "Error", text: "You can't be matched with this player." },
  // chat
  chat_empty: { status: 422, title: "Error", text: "Please write something first." },
  chat_too_long: { status: 422, title: "Error", text: "Messages can have up to 200 characters." },
  chat_blocked: {
    status: 422,
    title: "Message Blocked",
    text: "Please avoid using abusive or inappropriate language.",
  },
  chat_flood: { status: 429, title: "Slow down", text: "You're sending messages too fast. Please wait a moment." },
  chat_failed: { status: 500, title: "Error", text: "Failed to send message. Please try again." },
  // people
  unknown_player: { status: 404, title: "Error", text: "We can't find that player." },
  own_relation: { status: 422, title: "Error", text: "You can't do that to yourself." },
  game_not_over: { status: 409, title: "Error", text: "This game is not over yet." },
} as const satisfies Record<string, RefusalText>;
