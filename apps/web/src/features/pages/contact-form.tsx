import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../ui/button/button.tsx";
import { TextArea, TextField } from "../../ui/form/text-field.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { notify } from "../../ui/overlay/notify.ts";
import { type ContactField, EMPTY_MESSAGE, findFaults, toMessagingLink } from "./contact-message.ts";

interface ContactFormProps {
  /** Null while it loads. */
  readonly messagingUrl: string | null;
}

/** Opens the message in the player's own messaging app. The page sends nothing. */
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
    notify({ kind: "done", title: "Message ready", text: "Send it in the messaging app that has opened." });
  }

  function bind(field: ContactField) {
    return {
      name: field,
      value: message[field],
      error: faults[field],
      onChange: (event: { readonly target: { readonly value: string } }) =>
        setMessage({ ...message, [field]: event.target.value }),
    };
  }

  return (
    <Panel className="contact-form" label="Send us a message">
      <h2>Send us a message</h2>
      <p className="meta">It opens in your messaging app, written already. You send it there.</p>
      <form noValidate onSubmit={submit} ref={form}>
        <TextField label="Name" autoComplete="name" maxLength={80} required {...bind("name")} />
        <TextField label="Email" type="email" autoComplete="email" maxLength={254} required {...bind("email")} />
        <TextField label="Subject" maxLength={120} required {...bind("subject")} />
        <TextArea label="Message" rows={6} maxLength={1_500} required {...bind("message")} />
        <Button type="submit" kind="primary" wide resting={messagingUrl === null}>
          Send Message
        </Button>
      </form>
    </Panel>
  );
}
