/** The child process of picture-renderer.ts: draws a picture in tens of milliseconds. */
import { readFileSync } from "node:fs";
import { Resvg, type ResvgRenderOptions } from "@resvg/resvg-js";
import { DRAWING_FILES, FONT_FILES } from "../../platform/build.ts";
import { answerRequests } from "../../platform/side-process/answer-requests.ts";
import { parseDrawings } from "./drawings.ts";
import { drawPicture, type Face, type GamePicture, PICTURE_WIDTH } from "./game-picture.ts";

const drawings = parseDrawings(DRAWING_FILES.map((file) => readFileSync(file, "utf8")));
const OPTIONS: ResvgRenderOptions = {
  font: { fontFiles: [...FONT_FILES], loadSystemFonts: false },
  fitTo: { mode: "width", value: PICTURE_WIDTH },
};
const MEASURED_AT = 100;

function measure(text: string, face: Face): number {
  const content = text.replace(/[^\w .,:–½·-]/g, "W");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9000 200"><text y="100" font-family="${face}" font-size="${MEASURED_AT}">${content}</text></svg>`;
  return (new Resvg(svg, { font: OPTIONS.font! }).getBBox()?.width ?? 0) / MEASURED_AT;
}

answerRequests((picture: GamePicture): Uint8Array => {
  const svg = drawPicture(picture, drawings, measure);
  return new Resvg(svg, OPTIONS).render().asPng();
});
