import type { OwnFairPlayView } from "@holo/protocol/fair-play.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { Button } from "../../../ui/button/button.tsx";
import { WriteDialog, type WriteTexts } from "./write-dialog.tsx";

const TEXTS: WriteTexts = {
  title: "Write to Us",
  label: "What would you like to add?",
  hint: "Such as who you played with, and how you know them.",
  missing: "Please write something first.",
  submit: "Send",
  done: "Sent",
  doneText: "A person reads it before anything is decided.",
};

interface WriteButtonProps {
  readonly held: OwnFairPlayView["held"][number];
  readonly onSent: (changed: OwnFairPlayView) => void;
}

/** What the player adds to the check of a withdrawal. */
export function WriteButton({ held: { paymentId, messages, canWrite }, onSent }: WriteButtonProps) {
  const [isOpen, setOpen] = useState(false);
  if (!canWrite) return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {messages.length === 0 ? "Write to us" : "Write again"}
      </Button>
      {isOpen && (
        <WriteDialog
          texts={TEXTS}
          send={(text) => callApi("writeToFairPlay", { body: { paymentId, text } })}
          onSent={onSent}
          onClose={() => setOpen(false)}
        >
          <p className="muted">
            Nothing is decided yet, and you don't have to write anything. If you'd like to, tell us what we should know.
          </p>
          {messages.length > 0 && (
            <ul className="own-messages" aria-label="What you wrote">
              {messages.map(({ at, text }) => (
                <li key={at}>{text}</li>
              ))}
            </ul>
          )}
        </WriteDialog>
      )}
    </>
  );
}
