import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from "react";
import { Link } from "wouter";
import { Icon, type IconName } from "../icon/icon.tsx";
import { classes } from "../text/classes.ts";
import "./button.css";

/** `primary` is the foil button, one per screen. `danger` is used only in a confirming dialog. */
type ButtonKind = "primary" | "secondary" | "quiet" | "danger";
type ButtonSize = "small" | "normal" | "large";

interface ButtonLook {
  readonly kind?: ButtonKind;
  readonly size?: ButtonSize;
  readonly wide?: boolean;
  readonly className?: string;
}

interface ButtonProps extends ButtonLook, Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> {
  /** Text beside the spinner while the action runs. The button ignores presses until then. */
  readonly busy?: string | false;
  /** Temporarily inactive. Unlike a disabled button it keeps the focus. */
  readonly resting?: boolean;
  /** Ignores presses for a moment too short to notice, so it looks as usual. */
  readonly guarded?: boolean;
}

export function Button(props: ButtonProps) {
  const { kind, size, wide, className, busy = false, resting = false, guarded = false, children, ...rest } = props;
  const isBusy = busy !== false;
  return (
    <button
      type="button"
      {...rest}
      {...((isBusy || resting || guarded) && { "aria-disabled": true, onClick: preventDefault })}
      className={toButtonClasses({
        kind,
        size,
        wide,
        className: classes(guarded && !isBusy && !resting && "guarded", className),
      })}
      aria-busy={isBusy || undefined}
    >
      {isBusy ? (
        <>
          <span className="spinner" aria-hidden="true" />
          {busy}
        </>
      ) : (
        children
      )}
    </button>
  );
}

/** A busy button must not submit its form either. */
function preventDefault(event: MouseEvent): void {
  event.preventDefault();
}

interface ButtonLinkProps extends ButtonLook {
  readonly href: string;
  readonly state?: object | undefined;
  readonly children: ReactNode;
}

export function ButtonLink({ href, state, children, ...rest }: ButtonLinkProps) {
  return (
    <Link href={href} state={state} className={toButtonClasses(rest)}>
      {children}
    </Link>
  );
}

function toButtonClasses({
  kind = "secondary",
  size = "normal",
  wide = false,
  className,
}: Partial<Loose<ButtonLook>>): string {
  return classes("button", kind, size !== "normal" && size, wide && "wide", className);
}

type Loose<T> = { readonly [Key in keyof T]: T[Key] | undefined };

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
