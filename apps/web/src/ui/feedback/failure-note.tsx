import { useEffect, useRef } from "react";
import { Button } from "../button/button.tsx";
import { Icon } from "../icon/icon.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Note } from "./note.tsx";
import "./failure-note.css";

export interface FailureText {
  readonly title: string;
  readonly text: string;
}

/** Goes below the button, so that the button does not move under the finger. */
export function FailureNote({ failure }: { readonly failure: FailureText }) {
  const shown = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll to each new failure
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

/** Says in advance why an action would be refused. */
export function RefusalNote({ refusal }: { readonly refusal: FailureText }) {
  return (
    <Note icon="warn">
      <b className="lost">{refusal.title}:</b> {refusal.text}
    </Note>
  );
}

interface LoadFailureProps {
  readonly text: string;
  readonly onTryAgain: () => void;
}

export function LoadFailure({ text, onTryAgain }: LoadFailureProps) {
  return <EmptyState text={text} action={<Button onClick={onTryAgain}>Try again</Button>} />;
}
