import { type ElementType, Fragment, type ReactElement, type ReactNode } from "react";
import { jsx as reactJsx, jsxs as reactJsxs } from "react/jsx-runtime";
import { Link } from "wouter";

export { Fragment };

/** The element of a text beside other elements. It has no box: see `base.css`. */
const TEXT = "x-text" as string as ElementType;

type Type = Parameters<typeof reactJsx>[0];
interface Props {
  readonly children?: ReactNode;
}

/**
 * What JSX compiles to. Browser translators replace text nodes, and React would go on to update or
 * remove the lost ones. So each text is the only child of an element, where React replaces it.
 */
export function jsx(type: Type, props: Props, key?: string): ReactElement {
  return reactJsx(type, ownTexts(type, props), key);
}

export function jsxs(type: Type, props: Props, key?: string): ReactElement {
  return reactJsxs(type, ownTexts(type, props), key);
}

function ownTexts(type: Type, props: Props): Props {
  const { children } = props;
  if (type === Fragment) return { ...props, children: Array.isArray(children) ? wrap(children) : wrap([children])[0] };
  // The router's Link renders its children into an element by itself.
  if ((typeof type !== "string" && type !== Link) || !Array.isArray(children)) return props;
  return { ...props, children: children.every(isTextOrNothing) ? join(children) : wrap(children) };
}

/** Each run of texts becomes one element. The other children keep their places, which are keys. */
function wrap(children: readonly ReactNode[]): ReactNode[] {
  const wrapped: ReactNode[] = [];
  let run: ReactNode[] = [];
  const endRun = (): void => {
    const text = join(run);
    const start = wrapped.length;
    wrapped.push(...run.map(() => null));
    // Translators leave white space alone, and browsers drop it from elements without a box.
    const isSpace = text.trim() === "";
    if (text !== "") wrapped[start] = isSpace ? text : reactJsx(TEXT, { children: text }, `text-${start}`);
    run = [];
  };
  for (const child of children) {
    if (isTextOrNothing(child)) run.push(child);
    else {
      endRun();
      wrapped.push(Array.isArray(child) ? wrap(child) : child);
    }
  }
  endRun();
  return wrapped;
}

function isTextOrNothing(child: ReactNode): boolean {
  return child === null || child === undefined || !["object", "function"].includes(typeof child);
}

function join(texts: readonly ReactNode[]): string {
  return texts
    .map((text) => (typeof text === "boolean" || text === null || text === undefined ? "" : `${text}`))
    .join("");
}
