import type { AdminActView } from "@holo/protocol/admin-views.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { fetchApi } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { Collapsible } from "../../ui/collapsible.tsx";
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
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: adminKey(playerId, "acts"),
    queryFn: ({ pageParam, signal }) =>
      fetchApi("adminActs", { query: pageParam === null ? {} : { before: pageParam } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
  const query = { data: data?.pages.flatMap(({ acts }) => acts), isError, refetch };
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
          {hasNextPage && (
            <Button size="small" busy={isFetchingNextPage && "Loading..."} onClick={() => void fetchNextPage()}>
              Show more
            </Button>
          )}
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
          <b>{ACT_WORDS[act]}</b> <span className="subject">{subject}</span>
        </p>
        {detail !== "" && <p className="small muted">{detail}</p>}
      </div>
      <p className="small muted who">{username ?? "The server"}</p>
    </li>
  );
}
