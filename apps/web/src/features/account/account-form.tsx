import type { ReactNode, SubmitEvent } from "react";
import { Button } from "../../ui/button.tsx";
import { Disc } from "../../ui/disc.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { Panel } from "../../ui/panel.tsx";
import "./account-form.css";

interface AccountFormProps {
  readonly title: string;
  readonly act: string;
  /** The act's word while it is under way. */
  readonly acting: string;
  readonly busy: boolean;
  /** Why the act was refused; it stays until something is changed or tried again. */
  readonly failure: FailureWords | null;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
  /** Below the act: where else to go. */
  readonly foot: ReactNode;
}

/** The one form of login and registration. What is missing is told by us, in the words of the product, not by the browser. */
export function AccountForm({ title, act, acting, busy, failure, onSubmit, children, foot }: AccountFormProps) {
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    onSubmit();
  }
  return (
    <div className="account-form">
      <div className="discs">
        <Disc seat={1} size={64} />
        <Disc seat={2} size={64} />
      </div>
      <h1>{title}</h1>
      <Panel>
        <form noValidate onSubmit={submit}>
          {children}
          <Button type="submit" kind="primary" wide busy={busy && acting}>
            {act}
          </Button>
          {/* below the act, which therefore stays where the finger is */}
          {failure !== null && <Failure words={failure} />}
        </form>
      </Panel>
      <div className="foot">{foot}</div>
    </div>
  );
}
