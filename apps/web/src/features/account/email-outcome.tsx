import { useEffect, useRef } from "react";
import { useSession } from "../../lib/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Disc } from "../../ui/disc.tsx";
import "./email-outcome.css";

interface EmailOutcomeProps {
  readonly title: string;
  readonly text: string;
}

/** What came of a mailed link, in place of the form that was pressed. */
export function EmailOutcome({ title, text }: EmailOutcomeProps) {
  const { player } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  // the pressed button is gone: who hears the page instead of seeing it goes on from here
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="email-outcome">
      <Disc seat={1} crowned size={64} />
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p>{text}</p>
      <ButtonLink href={player === null ? "/login" : "/profile"} kind="primary">
        {player === null ? "Login" : "Profile"}
      </ButtonLink>
    </div>
  );
}
