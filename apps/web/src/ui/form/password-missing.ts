import type { FailureText } from "../feedback/failure-note.tsx";

export const PASSWORD_MISSING: FailureText = { title: "Confirm it's you", text: "Please enter your password." };
