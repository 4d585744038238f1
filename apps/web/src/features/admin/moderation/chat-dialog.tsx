import type { GameId } from "@holo/kernel/ids.ts";
import { useQuery } from "@tanstack/react-query";
import { fetchApi } from "../../../lib/api/api.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { Loaded } from "../loaded.tsx";
import "./chat-dialog.css";

const TIME: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };

interface ChatDialogProps {
  readonly gameId: GameId;
  readonly onClose: () => void;
}

export function ChatDialog({ gameId, onClose }: ChatDialogProps) {
  const query = useQuery({
    queryKey: ["admin", "chat", gameId],
    queryFn: ({ signal }) => fetchApi("gameChat", { params: { id: gameId } }, signal),
  });
  return (
    <Dialog title="Chat of the Game" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <Loaded query={query} loading="Loading the chat..." failed="We couldn't load the chat.">
        {({ messages }) =>
          messages.length === 0 ? (
            <p className="muted">No messages.</p>
          ) : (
            <ol className="read-chat">
              {messages.map(({ number, username, text, at }) => (
                <li key={number}>
                  <p className="small">
                    <b className="unbroken" translate="no">
                      {username}
                    </b>{" "}
                    <time className="meta" dateTime={new Date(at).toISOString()}>
                      {new Date(at).toLocaleString("en-GB", TIME)}
                    </time>
                  </p>
                  <p>{text}</p>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Dialog>
  );
}
