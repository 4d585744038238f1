import { classes } from "../text/classes.ts";
import "./icon.css";

export type IconName =
  | "bell"
  | "bell-off"
  | "chat"
  | "check"
  | "chevron"
  | "clock"
  | "close"
  | "copy"
  | "download"
  | "first"
  | "flag"
  | "flip"
  | "half"
  | "home"
  | "info"
  | "last"
  | "leaderboard"
  | "logout"
  | "matches"
  | "menu"
  | "moon"
  | "more"
  | "next"
  | "previous"
  | "restart"
  | "search"
  | "send"
  | "settings"
  | "sun"
  | "undo"
  | "upload"
  | "user"
  | "wallet"
  | "warn";

interface IconProps {
  readonly name: IconName;
  readonly size?: 16 | 20 | 24;
  readonly className?: string;
}

export function Icon({ name, size = 20, className }: IconProps) {
  return (
    <svg className={classes("icon", className)} width={size} height={size} aria-hidden="true" focusable="false">
      <use href={`#i-${name}`} />
    </svg>
  );
}
