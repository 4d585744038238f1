import type { ButtonHTMLAttributes, MouseEvent, PointerEvent, ReactNode, RefCallback } from "react";
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

/** Decides which presses count. */
export interface PressGuard {
  readonly ref: RefCallback<HTMLButtonElement>;
  /** The next presses are ignored, for a moment too short to notice. */
  readonly isArming: boolean;
  readonly begin: (event: PointerEvent) => void;
  readonly accepts: (click: MouseEvent) => boolean;
}

export interface ButtonProps extends ButtonLook, Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> {
  /** Text beside the spinner while the action runs. The button ignores presses until then. */
  readonly busy?: string | false;
  /** Temporarily inactive. Unlike a disabled button it keeps the focus. */
  readonly resting?: boolean;
  /** Of a button that costs something. */
  readonly guard?: PressGuard;
}

export function Button(props: ButtonProps) {
  const { kind, size, wide, className, busy = false, resting = false, guard, children, ...rest } = props;
  const isBusy = busy !== false;
  const isArming = guard?.isArming === true && !isBusy && !resting;
  return (
    <button
      type="button"
      {...rest}
      ref={guard?.ref}
      {...((isBusy || resting || isArming) && { "aria-disabled": true })}
      onPointerDown={guard?.begin}
      onClick={(event) => {
        // A button that ignores a press must not submit its form either.
        if (isBusy || resting || guard?.accepts(event) === false) event.preventDefault();
        else rest.onClick?.(event);
      }}
      className={toButtonClasses({ kind, size, wide, className: classes(isArming && "guarded", className) })}
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
