// Keeps the desk usable after a reload without a network. annotation/views/desk/offline.py serves this script with
// GIVEN before it. All else goes to the network as if there were no service worker.
//
//   files   scripts and styles of the pages that were opened, for everybody
//   copies  the latest page of each desk, for the person it was made for; the desk keeps its items beside it
//           (static/js/desk/copy.js). Who signs in or out ends that, and so does a new release.

const AWAY = [502, 503, 504]; // what stands before the server says these of one that it does not reach
const PRIVATE = "touchstone-private-";

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) => event.waitUntil(begin()));

async function begin() {
  const now = [GIVEN.files, GIVEN.copies];
  const names = (await caches.keys()).filter((name) => name.startsWith("touchstone-") && !now.includes(name));
  await Promise.all(names.map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (GIVEN.ending.some((address) => pathname.startsWith(address))) {
    // A page of before must not be there once another person sits down.
    if (request.mode === "navigate") event.respondWith(forget().then(() => fetch(request)));
    return;
  }
  if (request.method !== "GET") return;
  if (pathname.startsWith(GIVEN.static)) event.respondWith(file(request));
  else if (request.mode === "navigate" && isDesk(pathname)) event.respondWith(desk(event, request, pathname));
});

function isDesk(pathname) {
  return /^\/studies\/[^/]+\/desk\/\d+\/$/.test(pathname);
}

async function forget() {
  for (const name of await caches.keys()) if (name.startsWith(PRIVATE)) await caches.delete(name);
  for (const client of await self.clients.matchAll()) client.postMessage("forget");
}

// From the network, which the browser's own cache answers for in most cases; what it gave is kept.
async function file(request) {
  const kept = await caches.open(GIVEN.files);
  try {
    const found = await fetch(request);
    if (found.ok) await kept.put(request, found.clone());
    return found;
  } catch (error) {
    const before = await kept.match(request);
    if (before) return before;
    throw error;
  }
}

async function desk(event, request, pathname) {
  try {
    const found = await fetch(request);
    if (AWAY.includes(found.status)) return (await copyOf(pathname)) ?? found;
    if (found.ok && found.headers.has(GIVEN.keptFor)) event.waitUntil(keep(pathname, found.clone()));
    return found;
  } catch (error) {
    const copy = await copyOf(pathname);
    if (copy) return copy;
    throw error;
  }
}

async function keep(pathname, page) {
  const copies = await caches.open(GIVEN.copies);
  await copies.put(pathname, page);
}

// The page says that it is a copy: the desk goes on with the items that it kept, and not with that of the page.
async function copyOf(pathname) {
  const found = await caches.match(pathname, { cacheName: GIVEN.copies });
  if (!found) return null;
  const page = (await found.text()).replace("<html ", "<html data-copy ");
  const headers = new Headers(found.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response(page, { status: 200, headers });
}

// What the first page of all loaded before this worker was there.
self.addEventListener("message", (event) => {
  const { files, page } = event.data ?? {};
  if (files && page) event.waitUntil(take(files, page));
});

async function take(files, page) {
  const kept = await caches.open(GIVEN.files);
  for (const each of files) {
    if (await kept.match(each)) continue;
    const found = await fetch(each).catch(() => null);
    if (found?.ok) await kept.put(each, found);
  }
  if (await caches.match(page, { cacheName: GIVEN.copies })) return;
  const found = await fetch(page, { credentials: "same-origin" }).catch(() => null);
  if (found?.ok && !found.redirected && found.headers.has(GIVEN.keptFor)) await keep(page, found);
}
