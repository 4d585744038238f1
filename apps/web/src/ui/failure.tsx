import { useEffect, useRef } from "react";
import { Icon } from "./icon.tsx";
import "./failure.css";

/** Why an act was refused. */
export interface FailureWords {
  readonly title: string;
  readonly text: string;
}

/** Stands below the act, which therefore stays where the finger is, until something is changed or tried again. */
export function Failure({ words }: { readonly words: FailureWords }) {
  const shown = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every refusal is to be seen, also under a keyboard on the screen
  useEffect(() => {
    shown.current?.scrollIntoView({ block: "nearest" });
  }, [words]);
  return (
    <p className="failure" role="alert" ref={shown}>
      <Icon name="warn" />
      <span>
        <b>{words.title}:</b> {words.text}
      </span>
    </p>
  );
}
