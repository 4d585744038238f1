const { insertBefore, removeChild } = Node.prototype;

/**
 * Translators and extensions move elements that React goes on to remove or to insert before. The
 * browser refuses that with an error, which would take the whole page away.
 */
export function tolerateMovedNodes(): void {
  Node.prototype.removeChild = function remove<T extends Node>(this: Node, child: T): T {
    const parent = child.parentNode;
    if (parent !== null) removeChild.call(parent, child);
    return child;
  };
  Node.prototype.insertBefore = function insert<T extends Node>(this: Node, node: T, next: Node | null): T {
    let place = next ?? null;
    while (place !== null && place.parentNode !== this) place = place.parentNode;
    insertBefore.call(this, node, place);
    return node;
  };
}
