import { useState } from "react";
import { ShareLink } from "../../../shared/share/share-link.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Switch } from "../../../ui/form/switch.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import type { TableViewModel } from "../view-model.ts";
import "./share-dialog.css";

interface ShareDialogProps {
  readonly viewModel: TableViewModel;
  readonly onClose: () => void;
}

/** The picture as its link shows it. The sum is in it only if a player of the game wants that. */
export default function ShareDialog({ viewModel, onClose }: ShareDialogProps) {
  const { seat, isFree, shown } = viewModel;
  const { game, gameId } = shown.table;
  const [withAmount, setWithAmount] = useState(false);
  const [loaded, setLoaded] = useState<{ readonly picture: string; readonly file: File } | null>(null);
  const path = `/game/${gameId}`;
  const query = withAmount ? "?amount=true" : "";
  const picture = `${path}/picture.png${query}`;

  /** A sheet opens only at once after a press, so the file is there before it. */
  async function keepFile(): Promise<void> {
    // From the browser's cache. Without it the link is shared alone.
    const blob = await fetch(picture).then(
      (answer) => (answer.ok ? answer.blob() : null),
      () => null,
    );
    if (blob !== null) setLoaded({ picture, file: new File([blob], "holo-arena.png", { type: blob.type }) });
  }

  return (
    <Dialog title="Share this game" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <div className="share-dialog">
        <img src={picture} width={1200} height={630} alt="The final position" onLoad={() => void keepFile()} />
        {seat !== null && !isFree && <Switch label="Show the amount" on={withAmount} onChange={setWithAmount} />}
        <ShareLink
          url={`${location.origin}${path}${query}`}
          text={`A game of ${game} on Holo Arena:`}
          file={loaded?.picture === picture ? loaded.file : null}
        />
      </div>
    </Dialog>
  );
}
