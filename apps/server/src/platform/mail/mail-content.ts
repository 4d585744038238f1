export interface MailContent {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly action: { readonly text: string; readonly url: string };
  readonly notes: readonly string[];
}

interface Palette {
  readonly ground: string;
  readonly surface: string;
  readonly line: string;
  readonly ink: string;
  readonly inkSoft: string;
  readonly link: string;
}

/** The design tokens as hex colours for every mail program; a browser test compares both. */
export const MAIL_COLORS = {
  day: {
    ground: "#f3f1e8",
    surface: "#fbfaf5",
    line: "#d3d4c5",
    ink: "#092119",
    inkSoft: "#2f453c",
    link: "#195e7f",
  },
  night: {
    ground: "#062018",
    surface: "#0e2920",
    line: "#2d473c",
    ink: "#f4f1e5",
    inkSoft: "#cdd1c4",
    link: "#9fd7e5",
  },
  foil: ["#f1e3b0", "#b0efcc", "#aee6f4", "#dcc9f4", "#ffcbc8"],
  onFoil: "#041d16",
  foilBorder: "#12352a",
  squares: ["#e5e0ca", "#366851"],
} as const satisfies {
  readonly day: Palette;
  readonly night: Palette;
  readonly foil: readonly string[];
  readonly onFoil: string;
  readonly foilBorder: string;
  readonly squares: readonly [string, string];
};

const FONT = "'Hanken Grotesk',system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";
const HEAD_FONT = "'Familjen Grotesk',system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";

/**
 * Formats plain text and HTML. The HTML uses tables and inline colours, which all mail programs
 * support, and loads nothing.
 */
export function formatMailContent(content: MailContent): { readonly text: string; readonly html: string } {
  return { text: formatText(content), html: formatHtml(content) };
}

function formatText({ title, paragraphs, action, notes }: MailContent): string {
  return `${[title, ...paragraphs, `${action.text}:\n${action.url}`, ...notes, "Holo Arena"].join("\n\n")}\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Light colours are inline; a media query overrides them with dark ones by class. */
function formatStyles({ ground, surface, line, ink, inkSoft, link }: Palette): string {
  return [
    `.ground{background:${ground}!important}`,
    `.surface{background:${surface}!important;border-color:${line}!important}`,
    `.ink{color:${ink}!important}`,
    `.soft{color:${inkSoft}!important}`,
    `.link{color:${link}!important}`,
  ].join("");
}

/** A row of board squares: table cells are the only ornament that every mail program renders. */
function formatRank(): string {
  const cells = Array.from({ length: 8 }, (_, file) => {
    const color = MAIL_COLORS.squares[file % 2];
    return `<td width="12.5%" height="10" bgcolor="${color}" style="height:10px;font-size:0;line-height:0">&nbsp;</td>`;
  });
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>${cells.join("")}</tr></table>`;
}

function formatHtml({ title, paragraphs, action, notes }: MailContent): string {
  const { day, night, foil, onFoil, foilBorder } = MAIL_COLORS;
  const url = escapeHtml(action.url);
  const text = (content: string): string =>
    `<p class="ink" style="margin:0 0 16px;color:${day.ink};font:16px/1.5 ${FONT}">${escapeHtml(content)}</p>`;
  const note = (content: string): string =>
    `<p class="soft" style="margin:0 0 8px;color:${day.inkSoft};font:14px/1.5 ${FONT}">${escapeHtml(content)}</p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${formatStyles(night)}}</style>
</head>
<body class="ground" bgcolor="${day.ground}" style="margin:0;padding:0;background:${day.ground}">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${day.ground}" style="background:${day.ground}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px">
<tr><td align="left" style="padding:0 4px 16px"><span class="ink" style="color:${day.ink};font:700 22px/1 ${HEAD_FONT}">Holo Arena</span></td></tr>
<tr><td>${formatRank()}</td></tr>
<tr><td class="surface" align="left" bgcolor="${day.surface}" style="padding:28px 28px 20px;background:${day.surface};border:1px solid ${day.line};border-top:0;border-radius:0 0 14px 14px">
<h1 class="ink" style="margin:0 0 16px;color:${day.ink};font:700 28px/1.2 ${HEAD_FONT}">${escapeHtml(title)}</h1>
${paragraphs.map(text).join("\n")}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
<tr><td align="center" bgcolor="${foil[1]}" style="background:${foil[1]};background-image:linear-gradient(107deg,${foil.join(",")});border:1px solid ${foilBorder};border-radius:8px"><a href="${url}" style="display:inline-block;padding:14px 24px;color:${onFoil};font:700 16px/1.2 ${FONT};text-decoration:none">${escapeHtml(action.text)}</a></td></tr>
</table>
${notes.map(note).join("\n")}
<p class="soft" style="margin:16px 0 8px;color:${day.inkSoft};font:14px/1.5 ${FONT}">If the button doesn't work, open this address:<br><a class="link" href="${url}" style="color:${day.link};word-break:break-all">${url}</a></p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}
