/** State of the history entry after registration: the address that a mail was sent to. */
interface RegistrationNotice {
  readonly registeredEmail: string;
}

export function toRegistrationNotice(email: string): RegistrationNotice {
  return { registeredEmail: email };
}

/** Returns null if the player did not come from the registration page. */
export function readRegisteredEmail(state: unknown): string | null {
  const isRegistered = typeof state === "object" && state !== null && "registeredEmail" in state;
  return isRegistered && typeof state.registeredEmail === "string" ? state.registeredEmail : null;
}
