/**
 * QR codes of one size (ISO/IEC 18004): version 6, error correction L, mask 0, up to 134 bytes:
 * enough for a second factor's address. A library would add every other size.
 */
export const QR_SIZE = 41;
const BYTES_MAX = 134;
const BLOCKS = 2;
const DATA_PER_BLOCK = 68;
const CHECKS_PER_BLOCK = 18;
const ALIGNMENT_CENTRE = 34;
/** Level L and mask 0 as 15 bits with their BCH code, masked. */
const FORMAT = 0b111011111000100;

type Grid = (boolean | null)[][];

/** Rows of modules; true is dark. Throws a RangeError for a longer text. */
export function toQrCode(text: string): readonly (readonly boolean[])[] {
  const grid: Grid = Array.from({ length: QR_SIZE }, () => Array.from({ length: QR_SIZE }, () => null));
  drawPatterns(grid);
  drawData(grid, toBits(toCodewords(text)));
  return grid.map((row) => row.map((module) => module === true));
}

function drawPatterns(grid: Grid): void {
  for (let at = 8; at < QR_SIZE - 8; at += 1) {
    set(grid, at, 6, at % 2 === 0);
    set(grid, 6, at, at % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [QR_SIZE - 4, 3],
    [3, QR_SIZE - 4],
  ] as const)
    drawSquare(grid, x, y, 4, (distance) => distance !== 2 && distance !== 4);
  drawSquare(grid, ALIGNMENT_CENTRE, ALIGNMENT_CENTRE, 2, (distance) => distance !== 1);
  const bit = (index: number): boolean => ((FORMAT >>> index) & 1) === 1;
  for (let index = 0; index < 15; index += 1) {
    // Beside the finder at the top left, around the timing pattern.
    const along = index < 6 ? index : index < 8 ? index + 1 : 14 - index;
    if (index < 8) set(grid, 8, along, bit(index));
    else set(grid, index === 8 ? 7 : along, 8, bit(index));
    if (index < 8) set(grid, QR_SIZE - 1 - index, 8, bit(index));
    else set(grid, 8, QR_SIZE - 15 + index, bit(index));
  }
  set(grid, 8, QR_SIZE - 8, true);
}

function drawSquare(
  grid: Grid,
  centreX: number,
  centreY: number,
  radius: number,
  isDark: (distance: number) => boolean,
) {
  for (let dy = -radius; dy <= radius; dy += 1)
    for (let dx = -radius; dx <= radius; dx += 1)
      set(grid, centreX + dx, centreY + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
}

function set(grid: Grid, x: number, y: number, isDark: boolean): void {
  const row = grid[y];
  if (row !== undefined && x >= 0 && x < QR_SIZE) row[x] = isDark;
}

/** In columns of two from the right, alternating up and down, around the fixed patterns. */
function drawData(grid: Grid, bits: readonly number[]): void {
  let next = 0;
  for (let right = QR_SIZE - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUpward = ((right + 1) & 2) === 0;
    for (let step = 0; step < QR_SIZE; step += 1) {
      const y = isUpward ? QR_SIZE - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (grid[y]?.[x] !== null) continue;
        set(grid, x, y, ((bits[next] ?? 0) === 1) !== ((x + y) % 2 === 0));
        next += 1;
      }
    }
  }
}

function toCodewords(text: string): readonly number[] {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > BYTES_MAX) throw new RangeError("the text is too long for this QR code");
  // byte mode, the length, the bytes, the end, padding
  const bits = [0, 1, 0, 0, ...toBits([bytes.length, ...bytes]), 0, 0, 0, 0];
  const data = Array.from({ length: bits.length / 8 }, (_, index) =>
    Number.parseInt(bits.slice(index * 8, index * 8 + 8).join(""), 2),
  );
  while (data.length < BLOCKS * DATA_PER_BLOCK) data.push((data.length - bits.length / 8) % 2 === 0 ? 0xec : 0x11);
  const blocks = Array.from({ length: BLOCKS }, (_, block) =>
    data.slice(block * DATA_PER_BLOCK, (block + 1) * DATA_PER_BLOCK),
  );
  return [...interleave(blocks), ...interleave(blocks.map(toChecks))];
}

function interleave(blocks: readonly (readonly number[])[]): readonly number[] {
  return (blocks[0] ?? []).flatMap((_, index) => blocks.map((block) => block[index] ?? 0));
}

function toBits(codewords: readonly number[]): readonly number[] {
  return codewords.flatMap((codeword) => Array.from({ length: 8 }, (_, index) => (codeword >>> (7 - index)) & 1));
}

/** The Reed-Solomon remainder over GF(256) with the polynomial 0x11D. */
function toChecks(data: readonly number[]): readonly number[] {
  let checks: readonly number[] = Array.from({ length: CHECKS_PER_BLOCK }, () => 0);
  for (const codeword of data) {
    const factor = codeword ^ (checks[0] ?? 0);
    checks = GENERATOR.map((coefficient, index) => (checks[index + 1] ?? 0) ^ multiply(coefficient, factor));
  }
  return checks;
}

const GENERATOR = toGenerator();

/** The product of (x - 2^i), without its leading 1. */
function toGenerator(): readonly number[] {
  const coefficients: number[] = Array.from({ length: CHECKS_PER_BLOCK }, (_, index) =>
    index === CHECKS_PER_BLOCK - 1 ? 1 : 0,
  );
  let root = 1;
  for (let degree = 0; degree < CHECKS_PER_BLOCK; degree += 1) {
    for (let index = 0; index < CHECKS_PER_BLOCK; index += 1)
      coefficients[index] = multiply(coefficients[index] ?? 0, root) ^ (coefficients[index + 1] ?? 0);
    root = multiply(root, 2);
  }
  return coefficients;
}

function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

/** The margin that readers need, in modules. */
const QUIET = 4;

/** Dark on white in both themes: some readers do not accept an inverted code. */
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
