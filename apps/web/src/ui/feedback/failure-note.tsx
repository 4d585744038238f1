import { useEffect, useRef } from "react";
import { Icon } from "../icon/icon.tsx";
import "./failure-note.css";

/** Why an act was refused. */
export interface FailureText {
  readonly title: string;
  readonly text: string;
}

/** Stands below the act, which therefore stays where the finger is, until something is changed or tried again. */
export function FailureNote({ failure }: { readonly failure: FailureText }) {
  const shown = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every refusal is to be seen, also under a keyboard on the screen
  useEffect(() => {
    shown.current?.scrollIntoView({ block: "nearest" });
  }, [failure]);
  return (
    <p className="failure" role="alert" ref={shown}>
      <Icon name="warn" />
      <span>
        <b>{failure.title}:</b> {failure.text}
      </span>
    </p>
  );
}
