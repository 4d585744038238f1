import type { ButtonHTMLAttributes } from "react";
import { Icon, type IconName } from "../icon/icon.tsx";
import { classes } from "../text/classes.ts";
import "./icon-button.css";

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children" | "aria-label"> {
  readonly icon: IconName;
  /** Accessible name, also shown on hover. */
  readonly label: string;
}

export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} className={classes("icon-button", className)} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  );
}
