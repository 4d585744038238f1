import type { AdminActView } from "@holo/protocol/admin-views.ts";
import { fetchApi } from "../../lib/api.ts";
import { usePages } from "../../lib/use-pages.ts";
import { Collapsible } from "../../ui/collapsible.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { ACT_WORDS } from "./act-text.ts";
import { Awaited } from "./awaited.tsx";
import { adminKey } from "./use-overview.ts";
import "./acts.css";

const TIME: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };

/** Everything that people of the house did, and why. */
export function Acts({ playerId }: { readonly playerId: string }) {
  return (
    <Collapsible title="Log of acts">
      <ActList playerId={playerId} />
    </Collapsible>
  );
}

function ActList({ playerId }: { readonly playerId: string }) {
  const query = usePages({
    queryKey: adminKey(playerId, "acts"),
    load: (before, signal) => fetchApi("adminActs", { query: { before } }, signal),
    toRows: (page) => page.acts,
  });
  return (
    <Awaited query={query} loading="Loading acts..." failed="The log could not be loaded.">
      {(acts) => (
        <>
          {acts.length === 0 && <p className="muted">Nothing has been done yet.</p>}
          <ul className="admin-acts">
            {acts.map((act) => (
              <ActRow key={act.id} act={act} />
            ))}
          </ul>
          <ShowMore query={query} />
        </>
      )}
    </Awaited>
  );
}

function ActRow({ act: { at, username, act, subject, detail } }: { readonly act: AdminActView }) {
  return (
    <li>
      <time className="meta" dateTime={new Date(at).toISOString()}>
        {new Date(at).toLocaleString("en-GB", TIME)}
      </time>
      <div>
        <p>
          <b>{ACT_WORDS[act]}</b> {subject}
        </p>
        {detail !== "" && <p className="small muted">{detail}</p>}
      </div>
      <p className="small muted who">{username ?? "The server"}</p>
    </li>
  );
}
