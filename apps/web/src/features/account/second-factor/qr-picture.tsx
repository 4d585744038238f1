import { encode } from "uqr";

interface QrPictureProps {
  readonly label: string;
  readonly text: string;
}

/** Dark on white in both themes: some readers do not accept an inverted code. */
export function QrPicture({ label, text }: QrPictureProps) {
  // Readers need a margin of four modules.
  const { data, size } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
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
