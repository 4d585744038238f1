import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from "react";
import { Link } from "wouter";
import { classes } from "../text/classes.ts";
import "./button.css";

/** `primary` is the foil: one on a screen. `danger` stands only in the dialog that confirms it. */
export type ButtonKind = "primary" | "secondary" | "quiet" | "danger";
export type ButtonSize = "small" | "normal" | "large";

interface ButtonLook {
  readonly kind?: ButtonKind;
  readonly size?: ButtonSize;
  readonly wide?: boolean;
  readonly className?: string;
}

interface ButtonProps extends ButtonLook, Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> {
  /** The word shown beside the spinner while the act is under way; the button cannot be pressed again until then. */
  readonly busy?: string | false;
  /** Not to be pressed for a while: unlike a disabled button it keeps the focus. */
  readonly resting?: boolean;
}

export function Button({ kind, size, wide, className, busy = false, resting = false, children, ...rest }: ButtonProps) {
  const isBusy = busy !== false;
  return (
    <button
      type="button"
      {...rest}
      {...((isBusy || resting) && { "aria-disabled": true, onClick: preventDefault })}
      className={look({ kind, size, wide, className })}
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

/** Nor does it send the form that it stands in. */
function preventDefault(event: MouseEvent): void {
  event.preventDefault();
}

interface ButtonLinkProps extends ButtonLook {
  readonly href: string;
  /** What the page is told that it leads to. */
  readonly state?: object | undefined;
  readonly children: ReactNode;
}

/** What looks like a button and leads to another page. */
export function ButtonLink({ href, state, children, ...rest }: ButtonLinkProps) {
  return (
    <Link href={href} state={state} className={look(rest)}>
      {children}
    </Link>
  );
}

function look({ kind = "secondary", size = "normal", wide = false, className }: Partial<Loose<ButtonLook>>): string {
  return classes("button", kind, size !== "normal" && size, wide && "wide", className);
}

type Loose<T> = { readonly [Key in keyof T]: T[Key] | undefined };
