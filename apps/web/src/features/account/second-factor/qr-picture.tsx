import { QR_SIZE, toQrCode } from "./qr-code.ts";

/** The margin that readers need, in modules. */
const QUIET = 4;

/** Dark on white in both themes: some readers take no inverted code. */
export function QrPicture({ label, text }: { readonly label: string; readonly text: string }) {
  const path = toQrCode(text)
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")))
    .join("");
  const size = QR_SIZE + 2 * QUIET;
  return (
    <svg
      className="qr-picture"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
