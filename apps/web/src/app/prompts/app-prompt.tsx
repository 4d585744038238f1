import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { formatBytes } from "../../lib/native/bytes.ts";
import type { NativeHost } from "../../lib/native/native-host.ts";
import { PLATFORM_WORDS } from "../../lib/native/release-text.ts";
import { useReleases } from "../../lib/native/releases.ts";
import { useMaybeSession } from "../../lib/session/session.ts";
import { Button } from "../../ui/button/button.tsx";
import { Receipt, ReceiptRow } from "../../ui/data/receipt.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import { useWide } from "../../ui/layout/use-wide.ts";
import { Dialog } from "../../ui/overlay/dialog.tsx";
import { notify } from "../../ui/overlay/notify.ts";
import {
  type AppPrompt,
  choosePrompt,
  loadPostponement,
  type Postponement,
  savePostponement,
} from "./prompt-choice.ts";
import "./app-prompt.css";

const CHECK_EVERY_MS = 1_000;
/** Here a dialog would receive the next key of a typing player. */
const OCCUPIED = "dialog[open], input:focus, textarea:focus, select:focus";

/**
 * Offers a native app its update. It waits until the player is not busy and closes when a game
 * begins.
 */
export default function AppPromptDialog({ host }: { readonly host: NativeHost }) {
  const releases = useReleases();
  const isWide = useWide();
  const isPlaying = usePlaying();
  const [postponement, setPostponement] = useState(loadPostponement);
  const prompt = choosePrompt({ host, releases, postponement, now: Date.now(), isWide });
  const isOpen = useGoodMoment(prompt !== null && !isPlaying);
  if (prompt === null || !isOpen) return null;

  const { release } = prompt;
  function dismiss() {
    const next: Postponement = { version: release.version, at: Date.now() };
    savePostponement(next);
    setPostponement(next);
  }
  function download() {
    dismiss();
    notify({ kind: "notice", title: "Download started", text: PLATFORM_WORDS[release.platform].install });
  }
  return <PromptDialog prompt={prompt} host={host} onDismiss={dismiss} onDownload={download} />;
}

interface PromptDialogProps {
  readonly prompt: AppPrompt;
  readonly host: NativeHost;
  readonly onDismiss: () => void;
  readonly onDownload: () => void;
}

function PromptDialog({ prompt: { type, release }, host, onDismiss, onDownload }: PromptDialogProps) {
  const isUpdate = type === "update";
  return (
    <Dialog
      title={isUpdate ? "Update Available" : "Desktop App Available"}
      onClose={onDismiss}
      actions={
        <>
          <Button onClick={onDismiss}>{isUpdate ? "Not Now" : "Continue in Browser"}</Button>
          <a className="button primary" href={release.url} download onClick={onDownload}>
            <Icon name="download" />
            {isUpdate ? "Download" : "Download App"}
          </a>
        </>
      }
    >
      <p className="muted">
        {isUpdate
          ? "There's a newer version of this app."
          : "The app opened Holo Arena in your browser this time. Everything works here too."}
      </p>
      <div className="app-prompt">
        <Receipt>
          <ReceiptRow term="Platform">{PLATFORM_WORDS[release.platform].name}</ReceiptRow>
          <ReceiptRow term="You have">{host.version}</ReceiptRow>
          <ReceiptRow term={isUpdate ? "New version" : "Version"}>{release.version}</ReceiptRow>
          <ReceiptRow term="Size">{formatBytes(release.sizeBytes)}</ReceiptRow>
        </Receipt>
      </div>
    </Dialog>
  );
}

/** Also at a table after the game: result and rematch come first. */
function usePlaying(): boolean {
  const session = useMaybeSession();
  const [location] = useLocation();
  return session === null || session.openGame?.status === "active" || location.startsWith("/game/");
}

/** True from the first moment without an open dialog or a focused field, while wanted. */
function useGoodMoment(isWanted: boolean): boolean {
  const [isGood, setGood] = useState(false);
  useEffect(() => {
    if (!isWanted) return setGood(false);
    const check = () => {
      if (document.querySelector(OCCUPIED) !== null) return;
      setGood(true);
      clearInterval(timer);
    };
    const timer = setInterval(check, CHECK_EVERY_MS);
    check();
    return () => clearInterval(timer);
  }, [isWanted]);
  return isGood && isWanted;
}
