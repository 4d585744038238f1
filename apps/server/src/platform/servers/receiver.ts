import type { Hints } from "./hints.ts";
import type { Message } from "./message.ts";
import type { OwnShare } from "./own-share.ts";
import type { Peers } from "./peers.ts";

interface ReceiverDeps {
  readonly serverId: string;
  readonly send: (message: Message) => void;
  readonly own: OwnShare;
  readonly peers: Peers;
  readonly hints: Hints;
}

type Received = Message & { readonly server: string };

/** Returns the function that takes each message of another server. */
export function makeReceiver({ serverId, send, own, peers, hints }: ReceiverDeps): (message: Received) => void {
  return (message) => {
    if (message.type === "ask") return message.of === null || message.of === serverId ? own.sendAll() : undefined;
    if (message.type === "leave") return peers.drop(message.server);
    const peer = peers.noteMessage(message.server);
    switch (message.type) {
      case "beat":
        hints.count(peer, message.sent);
        peer.isHandingOver ||= message.isHandingOver === true;
        return peers.needsKeys(peer, message.digest) ? send({ type: "ask", of: message.server }) : undefined;
      case "hint":
        return hints.receive(peer, message);
      case "handing_over":
        peer.isHandingOver = true;
        return;
      case "handed_over":
        return peers.noteHanded(peer, message.agoMs, message.keys);
      case "closing":
        peer.closedMs = peer.lastMessageMs;
        return;
      case "changes":
        return peers.applyChanges(peer, message.changes);
      case "keys":
        return peers.receiveKeys(peer, message);
    }
  };
}
