import type { GameType } from "@holo/rules/rules.ts";
import type { ReactNode } from "react";
import { Segmented } from "../../../ui/form/segmented.tsx";
import { Switch } from "../../../ui/form/switch.tsx";
import { usePieceSet } from "../piece-sets/piece-sets.ts";
import { BoardSwatch, SetSwatch } from "./board-pictures.tsx";
import {
  BOARD_THEMES,
  type BoardSettings,
  type BoardTheme,
  type MoveSpeed,
  PIECE_SETS,
  type PieceSet,
  saveBoardSettings,
  useBoardSettings,
} from "./board-settings.ts";
import { ChoiceTiles } from "./choice-tiles.tsx";
import { VolumeSetting } from "./volume-setting.tsx";
import "../../../ui/theme/boards.css";
import "./settings-form.css";

const THEME_NAMES: Readonly<Record<BoardTheme, string>> = {
  forest: "Forest",
  kola: "Kola",
  adire: "Adire",
  zuma: "Zuma",
  sahel: "Sahel",
  zobo: "Zobo",
};
const SET_NAMES: Readonly<Record<PieceSet, string>> = { classic: "Classic", plain: "Plain", token: "Tokens" };
const SPEEDS: readonly { readonly value: MoveSpeed; readonly text: string }[] = [
  { value: "off", text: "Off" },
  { value: "fast", text: "Fast" },
  { value: "normal", text: "Normal" },
  { value: "slow", text: "Slow" },
];
/** Desktop browsers have the function too, but no motor. */
const HAS_VIBRATION = "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;

type SwitchName = {
  [Name in keyof BoardSettings]: BoardSettings[Name] extends boolean ? Name : never;
}[keyof BoardSettings];

interface SwitchSetting {
  readonly name: SwitchName;
  readonly label: string;
  readonly text: string;
}

const PLAY: readonly SwitchSetting[] = [
  {
    name: "premove",
    label: "Premove",
    text: "Choose your move while your opponent thinks. It's played if it's legal.",
  },
  {
    name: "moveConfirmation",
    label: "Confirm moves",
    text: "Confirm each move before it's played. Your clock keeps running.",
  },
  {
    name: "promotionChoice",
    label: "Choose promotion piece",
    text: "In chess. Otherwise a pawn becomes a queen.",
  },
  { name: "moveField", label: "Move field", text: "Type or dictate moves: c3-d4, knight to f three." },
  ...(HAS_VIBRATION
    ? [{ name: "vibration", label: "Vibrate", text: "A short tick when you pick up a piece." } as const]
    : []),
];

interface BoardSettingsFormProps {
  /** Whose pieces the pictures show. */
  readonly game: GameType;
  /** Beside the volume. */
  readonly children?: ReactNode;
}

/** Every choice shows at once on each board of the page. */
export function BoardSettingsForm({ game, children }: BoardSettingsFormProps) {
  const settings = useBoardSettings();
  usePieceSet(game);
  return (
    <div className="board-settings">
      <ChoiceTiles
        label="Board"
        value={settings.theme}
        options={BOARD_THEMES.map((theme) => ({
          value: theme,
          text: THEME_NAMES[theme],
          picture: <BoardSwatch theme={theme} game={game} />,
        }))}
        onChange={(theme) => saveBoardSettings({ theme })}
      />
      <ChoiceTiles
        label="Pieces"
        value={settings.pieces}
        options={PIECE_SETS.map((set) => ({
          value: set,
          text: SET_NAMES[set],
          picture: <SetSwatch set={set} game={game} />,
        }))}
        onChange={(pieces) => saveBoardSettings({ pieces })}
      />
      <Switch
        label="Coordinates"
        on={settings.coordinates}
        onChange={(coordinates) => saveBoardSettings({ coordinates })}
      />
      <div className="speed">
        <span aria-hidden="true">Piece animation</span>
        <Segmented
          label="Piece animation"
          value={settings.speed}
          options={SPEEDS}
          onChange={(speed) => saveBoardSettings({ speed })}
        />
      </div>
      <div>
        {children}
        <VolumeSetting />
      </div>
      {PLAY.map(({ name, label, text }) => (
        <div key={name}>
          <Switch label={label} on={settings[name]} onChange={(on) => saveBoardSettings({ [name]: on })} />
          <p className="meta">{text}</p>
        </div>
      ))}
    </div>
  );
}
