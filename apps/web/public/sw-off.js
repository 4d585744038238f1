// Served instead of the service worker where there is to be none: it takes the place of whatever worker a browser has, deletes what that one kept,
// and goes. Pages that are open stay as they are.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave() {
  for (const name of await caches.keys()) if (name.startsWith("holo-")) await caches.delete(name);
  await self.registration.unregister();
}
