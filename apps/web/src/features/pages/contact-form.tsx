import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../ui/button/button.tsx";
import { toLengthFault } from "../../ui/form/characters.ts";
import { TextArea, TextField } from "../../ui/form/text-field.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { notify } from "../../ui/overlay/notify.ts";

interface ContactMessage {
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly message: string;
}

type ContactField = keyof ContactMessage;

export const EMPTY_MESSAGE: ContactMessage = { name: "", email: "", subject: "", message: "" };

const FAULTS: Readonly<Record<ContactField, string>> = {
  name: "Please enter your name",
  email: "Please enter your email address",
  subject: "Please enter a subject",
  message: "Please enter a message",
};

const CHARACTERS_MAX: Readonly<Record<ContactField, number>> = { name: 80, email: 254, subject: 120, message: 1_500 };

/** What is missing or too long. All four are required (specification 5). */
export function findFaults(message: ContactMessage): Partial<Record<ContactField, string>> {
  const missing = (Object.keys(FAULTS) as ContactField[]).filter((field) => message[field].trim() === "");
  const long = (Object.keys(CHARACTERS_MAX) as ContactField[]).map(
    (field) => [field, toLengthFault(message[field], CHARACTERS_MAX[field])] as const,
  );
  const faults = Object.fromEntries([
    ...long.filter(([_field, fault]) => fault !== undefined),
    ...missing.map((field) => [field, FAULTS[field]] as const),
  ]);
  const isAddress = message.email.trim() === "" || /^[^\s@]+@[^\s@]+$/.test(message.email.trim());
  return isAddress ? faults : { ...faults, email: "Please enter a valid email" };
}

export function toMessagingLink(messagingUrl: string, { name, email, subject, message }: ContactMessage): string {
  const link = new URL(messagingUrl);
  const text = `${subject.trim()}\n\n${message.trim()}\n\n${name.trim()}, ${email.trim()}`;
  // Messaging apps do not decode a plus sign as a space.
  link.search = [...(link.search === "" ? [] : [link.search.slice(1)]), `text=${encodeURIComponent(text)}`].join("&");
  return link.href;
}

interface ContactFormProps {
  /** Null while it loads. */
  readonly messagingUrl: string | null;
}

export function ContactForm({ messagingUrl }: ContactFormProps) {
  const [message, setMessage] = useState(EMPTY_MESSAGE);
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const faults = isTried ? findFaults(message) : {};

  function submit(event: FormEvent) {
    event.preventDefault();
    const [first] = Object.keys(findFaults(message));
    setTried(first !== undefined);
    if (first !== undefined) {
      form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
      return;
    }
    if (messagingUrl === null) return;
    window.open(toMessagingLink(messagingUrl, message), "_blank", "noopener,noreferrer");
    setMessage(EMPTY_MESSAGE);
    notify({ kind: "done", title: "Message ready", text: "Now send it in your messaging app." });
  }

  function bind(field: ContactField) {
    return {
      name: field,
      value: message[field],
      error: faults[field],
      charactersMax: CHARACTERS_MAX[field],
      onChange: (event: { readonly target: { readonly value: string } }) =>
        setMessage({ ...message, [field]: event.target.value }),
    };
  }

  return (
    <Panel className="contact-form" label="Send us a message">
      <h2>Send us a message</h2>
      <p className="meta">Opens a ready-written message in your messaging app. Just send it.</p>
      <form noValidate onSubmit={submit} ref={form}>
        <TextField label="Name" autoComplete="name" required {...bind("name")} />
        <TextField label="Email" type="email" autoComplete="email" required {...bind("email")} />
        <TextField label="Subject" required {...bind("subject")} />
        <TextArea label="Message" rows={6} required {...bind("message")} />
        <Button type="submit" kind="primary" wide resting={messagingUrl === null}>
          Send Message
        </Button>
      </form>
    </Panel>
  );
}
