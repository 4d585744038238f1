import type { FailureWords } from "../../ui/failure.tsx";

/** Before the server is asked: an act that wants the password was sent without one. */
export const PASSWORD_MISSING: FailureWords = { title: "Confirm it is you", text: "Please enter your password." };
