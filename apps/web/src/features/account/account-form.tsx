import type { ReactNode, SubmitEvent } from "react";
import { Button } from "../../ui/button/button.tsx";
import { FailureNote, type FailureText } from "../../ui/feedback/failure-note.tsx";
import { Disc } from "../../ui/icon/disc.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import "./account-form.css";

interface AccountFormProps {
  readonly title: string;
  readonly submitText: string;
  /** Shown on the button while the request runs. */
  readonly busy: string | false;
  readonly failure: FailureText | null;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
  readonly footer: ReactNode;
}

/**
 * The form of every account page. It validates fields itself, so that errors use the product's
 * wording.
 */
export function AccountForm({ title, submitText, busy, failure, onSubmit, children, footer }: AccountFormProps) {
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
          <Button type="submit" kind="primary" wide busy={busy}>
            {submitText}
          </Button>
          {/* below the button, so that the button does not move under the finger */}
          {failure !== null && <FailureNote failure={failure} />}
        </form>
      </Panel>
      <div className="foot">{footer}</div>
    </div>
  );
}
