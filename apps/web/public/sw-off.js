// Served instead of the service worker when it is disabled: replaces an installed worker, deletes
// its caches and unregisters. Open pages stay as they are.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave() {
  for (const name of await caches.keys()) if (name.startsWith("holo-")) await caches.delete(name);
  await self.registration.unregister();
}
