import { type ReactNode, useEffect, useRef } from "react";
import { useSession } from "../../lib/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Disc } from "../../ui/disc.tsx";
import "./email-outcome.css";

interface EmailOutcomeProps {
  readonly title: string;
  readonly text: ReactNode;
  /** Where to go on from here; left out, to the profile or to login. */
  readonly way?: { readonly href: string; readonly text: string; readonly state?: object };
}

/** What came of a mailed link, or of asking for one, in place of the form that was pressed. */
export function EmailOutcome({ title, text, way }: EmailOutcomeProps) {
  const { player } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  // the pressed button is gone: who hears the page instead of seeing it goes on from here
  useEffect(() => heading.current?.focus(), []);
  const {
    href,
    text: act,
    state,
  } = way ??
  (player === null ? { href: "/login", text: "Login", state: {} } : { href: "/profile", text: "Profile", state: {} });
  return (
    <div className="email-outcome">
      <Disc seat={1} crowned size={64} />
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p>{text}</p>
      <ButtonLink href={href} state={state} kind="primary">
        {act}
      </ButtonLink>
    </div>
  );
}
