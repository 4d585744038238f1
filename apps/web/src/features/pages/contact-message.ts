interface ContactMessage {
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly message: string;
}

export type ContactField = keyof ContactMessage;

export const EMPTY_MESSAGE: ContactMessage = { name: "", email: "", subject: "", message: "" };

const FAULTS: Readonly<Record<ContactField, string>> = {
  name: "Please enter your name",
  email: "Please enter your email address",
  subject: "Please enter a subject",
  message: "Please enter a message",
};

/** The missing fields. All four are required (specification 5). */
export function findFaults(message: ContactMessage): Partial<Record<ContactField, string>> {
  const missing = (Object.keys(FAULTS) as ContactField[]).filter((field) => message[field].trim() === "");
  const faults = Object.fromEntries(missing.map((field) => [field, FAULTS[field]]));
  const isAddress = message.email.trim() === "" || /^[^\s@]+@[^\s@]+$/.test(message.email.trim());
  return isAddress ? faults : { ...faults, email: "Please enter a valid email" };
}

/** The messaging link with the message in its `text` parameter. */
export function toMessagingLink(messagingUrl: string, { name, email, subject, message }: ContactMessage): string {
  const link = new URL(messagingUrl);
  const text = `${subject.trim()}\n\n${message.trim()}\n\n${name.trim()}, ${email.trim()}`;
  // Messaging apps do not decode a plus sign as a space.
  link.search = [...(link.search === "" ? [] : [link.search.slice(1)]), `text=${encodeURIComponent(text)}`].join("&");
  return link.href;
}
