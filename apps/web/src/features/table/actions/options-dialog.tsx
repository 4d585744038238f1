import { ofSeat } from "@holo/rules/by-seat.ts";
import { useState } from "react";
import PlayerDialogs from "../../../shared/people/player-dialogs.tsx";
import { RelationButtons } from "../../../shared/people/relation-buttons.tsx";
import { NotificationSwitch, SoundSwitch } from "../../../shared/settings/player-switches.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { ExportLink } from "../history/export-link.tsx";
import { OfferButton } from "../offers/offer-button.tsx";
import { type TableViewModel, toOpponent } from "../view-model.ts";
import "./options-dialog.css";

interface OptionsDialogProps {
  readonly viewModel: TableViewModel;
  readonly onSettings: () => void;
  readonly onClose: () => void;
}

/** Rarely used commands and settings; a sheet on phones. */
export default function OptionsDialog({ viewModel, onSettings, onClose }: OptionsDialogProps) {
  const [step, setStep] = useState<"options" | "block" | "report">("options");
  const { seat, shown } = viewModel;
  const opponent = seat === null ? null : ofSeat(shown.players, toOpponent(seat));
  if (step !== "options" && opponent != null) {
    return <PlayerDialogs player={opponent} gameId={shown.table.gameId} first={step} onClose={onClose} />;
  }
  return (
    <Dialog title="Options" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <div className="options-dialog">
        <OfferButton viewModel={viewModel} kind="takeback" className="takeback-option" onSent={onClose} />
        <Button
          size="small"
          wide
          onClick={() => {
            onClose();
            onSettings();
          }}
        >
          <Icon name="settings" />
          Board settings
        </Button>
        <SoundSwitch />
        {seat !== null && <NotificationSwitch />}
        <ExportLink viewModel={viewModel} wide />
        {opponent != null && (
          <section aria-label="Opponent">
            <h3 className="unbroken" translate="no">
              {opponent.username}
            </h3>
            <RelationButtons player={opponent} onBlock={() => setStep("block")} onReport={() => setStep("report")} />
          </section>
        )}
      </div>
    </Dialog>
  );
}
