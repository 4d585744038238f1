import { Fragment, jsx, jsxs } from "./jsx-runtime.ts";

export { Fragment };

/** What JSX compiles to under `npm run dev`. */
export function jsxDEV(type: Parameters<typeof jsx>[0], props: object, key: string | undefined, isStatic: boolean) {
  return (isStatic ? jsxs : jsx)(type, props, key);
}
