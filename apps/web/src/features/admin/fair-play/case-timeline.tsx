import type { FairPlayCaseView } from "@holo/protocol/admin/fair-play-cases.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { toTimeline } from "./timeline.ts";

const TIME: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };

export function CaseTimeline({ shown }: { readonly shown: FairPlayCaseView }) {
  return (
    <Panel label="Timeline">
      <h2>Timeline</h2>
      <ol className="case-timeline">
        {toTimeline(shown).map(({ id, at, kind, title, text }) => (
          <li key={`${kind} ${id}`} className={classes(kind)}>
            <time className="meta" dateTime={new Date(at).toISOString()}>
              {new Date(at).toLocaleString("en-GB", TIME)}
            </time>
            <p>{title}</p>
            {text !== null && <p className="told">{text}</p>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
