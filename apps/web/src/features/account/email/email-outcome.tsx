import { type ReactNode, useEffect, useRef } from "react";
import { useSession } from "../../../lib/session/session.ts";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { Disc } from "../../../ui/icon/disc.tsx";
import "./email-outcome.css";

interface EmailOutcomeProps {
  readonly title: string;
  readonly text: ReactNode;
  readonly link?: { readonly href: string; readonly text: string; readonly state?: object };
}

export function EmailOutcome({ title, text, link }: EmailOutcomeProps) {
  const { player } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  // The pressed button has disappeared, so a screen reader continues at the heading.
  useEffect(() => heading.current?.focus(), []);
  const {
    href,
    text: linkText,
    state,
  } = link ??
  (player === null ? { href: "/login", text: "Login", state: {} } : { href: "/profile", text: "Profile", state: {} });
  return (
    <div className="email-outcome">
      <Disc seat={1} crowned size={64} />
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p>{text}</p>
      <ButtonLink href={href} state={state} kind="primary">
        {linkText}
      </ButtonLink>
    </div>
  );
}
