/** Joins the class names that apply: `classes("button", "primary", busy && "busy")`. */
export function classes(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
