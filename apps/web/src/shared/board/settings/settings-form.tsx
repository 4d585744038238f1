import { Segmented } from "../../../ui/form/segmented.tsx";
import { Switch } from "../../../ui/form/switch.tsx";
import { BOARD_THEMES, type BoardTheme, saveBoardSettings, useBoardSettings } from "./board-settings.ts";
import "./settings-form.css";

const THEME_NAMES: Readonly<Record<BoardTheme, string>> = { forest: "Forest", kola: "Kola" };
const PHONE = "(max-width: 719px)";
/** Desktop browsers have the function too, but no motor. */
const HAS_VIBRATION = "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;

export function BoardSettingsForm() {
  const settings = useBoardSettings();
  return (
    <div className="board-settings">
      <Setting
        label="Premove"
        text="Choose your move while your opponent thinks. It's played if it's legal."
        on={settings.premove}
        onChange={(premove) => saveBoardSettings({ premove })}
      />
      <Setting
        label="Confirm moves"
        text="Confirm each move before it's played. Your clock keeps running."
        on={settings.moveConfirmation}
        onChange={(moveConfirmation) => saveBoardSettings({ moveConfirmation })}
      />
      <Setting
        label="Choose promotion piece"
        text="In chess. Otherwise a pawn becomes a queen."
        on={settings.promotionChoice}
        onChange={(promotionChoice) => saveBoardSettings({ promotionChoice })}
      />
      <Setting
        label="Move field"
        text="Type moves as text: c3-d4, Nf3."
        on={settings.moveField}
        onChange={(moveField) => saveBoardSettings({ moveField })}
      />
      {HAS_VIBRATION && (
        <Setting
          label="Vibrate"
          text="A short tick when you pick up a piece."
          on={settings.vibration}
          onChange={(vibration) => saveBoardSettings({ vibration })}
        />
      )}
      <Setting
        label="Coordinates"
        on={settings.coordinates ?? !matchMedia(PHONE).matches}
        onChange={(coordinates) => saveBoardSettings({ coordinates })}
      />
      <div className="board-theme">
        <span aria-hidden="true">Board</span>
        <Segmented
          label="Board"
          value={settings.theme}
          options={BOARD_THEMES.map((theme) => ({ value: theme, text: THEME_NAMES[theme] }))}
          onChange={(theme) => saveBoardSettings({ theme })}
        />
      </div>
    </div>
  );
}

interface SettingProps {
  readonly label: string;
  readonly text?: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

function Setting({ label, text, on, onChange }: SettingProps) {
  return (
    <div>
      <Switch label={label} on={on} onChange={onChange} />
      {text !== undefined && <p className="meta">{text}</p>}
    </div>
  );
}
