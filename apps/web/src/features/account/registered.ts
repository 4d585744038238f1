/** What the page after registering is told: where a mail went to. It lies in the browser's history and leaves with it. */
interface Registered {
  readonly registeredEmail: string;
}

export function toRegistered(email: string): Registered {
  return { registeredEmail: email };
}

/** The address that was registered a moment ago; null for who came another way. */
export function readRegisteredEmail(state: unknown): string | null {
  const isRegistered = typeof state === "object" && state !== null && "registeredEmail" in state;
  return isRegistered && typeof state.registeredEmail === "string" ? state.registeredEmail : null;
}
