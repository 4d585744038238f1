import { toRefusalView } from "@holo/protocol/refusals.ts";
import { useEffect } from "react";
import { loadSession } from "../../lib/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import "./access-denied.css";

/** Who has just been made an admin may be here sooner than this page has heard of it: so it asks once more. */
export function AccessDenied() {
  const { title, text } = toRefusalView("access_denied");
  useEffect(() => void loadSession(), []);
  return (
    <div className="access-denied">
      <Icon name="warn" size={24} />
      <h1>{title}</h1>
      <p className="muted">{text}</p>
      <ButtonLink href="/">Home</ButtonLink>
    </div>
  );
}
