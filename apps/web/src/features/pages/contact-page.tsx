import type { ContactView } from "@holo/protocol/platform.ts";
import { type ReactNode, useEffect, useState } from "react";
import { callApi } from "../../lib/api/api.ts";
import { Icon, type IconName } from "../../ui/icon/icon.tsx";
import { usePageTitle } from "../../ui/layout/page-title.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { CommonIssues, Questions } from "./contact-answers.tsx";
import { ContactForm } from "./contact-form.tsx";
import { BackButton } from "./text-page.tsx";
import "./contact-page.css";

const SUPPORT_HOURS = "Mon-Fri 9AM-5PM";

export default function ContactPage() {
  usePageTitle("Contact");
  const [contact, setContact] = useState<ContactView | null>(null);
  const [isMissing, setMissing] = useState(false);

  useEffect(() => {
    let isShown = true;
    void callApi("contact", {}).then((answer) => {
      if (!isShown) return;
      if (answer.ok) setContact(answer.value);
      else setMissing(true);
    });
    return () => {
      isShown = false;
    };
  }, []);

  return (
    <div className="contact-page">
      <BackButton />
      <h1>Contact</h1>
      <p className="lead">Our support team reads your messages, {SUPPORT_HOURS}.</p>
      {isMissing && (
        <p className="lead" role="alert">
          We couldn't load our addresses. Please reload this page in a moment.
        </p>
      )}
      <ul className="contact-ways">
        <Way icon="send" title="Email" text="Best for attachments, such as a receipt.">
          {contact !== null && (
            <a className="link alone" href={`mailto:${contact.email}`}>
              {contact.email}
            </a>
          )}
        </Way>
        <Way icon="chat" title="Live Chat" text={`Opens your messaging app. ${SUPPORT_HOURS}.`}>
          {contact !== null && (
            <a className="link alone" href={contact.messagingUrl} target="_blank" rel="noopener noreferrer">
              Start a chat
            </a>
          )}
        </Way>
        <Way icon="info" title="FAQ" text="Most questions about coins and matches are answered below.">
          <a className="link alone" href="#faq">
            Read the answers
          </a>
        </Way>
      </ul>
      <div className="contact-columns">
        <div>
          <Questions />
          <CommonIssues />
        </div>
        <ContactForm messagingUrl={contact?.messagingUrl ?? null} />
      </div>
    </div>
  );
}

interface WayProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Way({ icon, title, text, children }: WayProps) {
  return (
    <li>
      <Panel>
        <h2>
          <Icon name={icon} />
          {title}
        </h2>
        <p className="muted">{text}</p>
        <p className="way">{children}</p>
      </Panel>
    </li>
  );
}
