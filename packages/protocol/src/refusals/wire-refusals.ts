import type { RefusalText } from "./refusal-type.ts";

export const WIRE_REFUSALS = {
  bad_request: { status: 400, title: "Error", text: "We couldn't read that request." },
  too_large: { status: 413, title: "Error", text: "That request is too large." },
  not_found: { status: 404, title: "Error", text: "There's nothing here." },
  method_not_allowed: { status: 405, title: "Error", text: "You can't do that here." },
  foreign_origin: { status: 403, title: "Error", text: "That request came from another site." },
  bad_signature: { status: 401, title: "Error", text: "That isn't signed correctly." },
  too_many_requests: {
    status: 429,
    title: "Slow down",
    text: "Too many attempts. Please wait a moment and try again.",
  },
  unavailable: { status: 503, title: "Error", text: "We are restarting. Please try again in a moment." },
  something_went_wrong: { status: 500, title: "Error", text: "Something went wrong. Please try again." },
} as const satisfies Record<string, RefusalText>;
