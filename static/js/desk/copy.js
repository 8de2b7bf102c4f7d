// What the desk needs to go on after a reload without a network. The service worker keeps the page; here its items
// are kept beside it, in the same cache, so that both go when somebody signs out. Nothing is kept where the browser
// has no such cache, as without HTTPS.

import { address, delivery, outbox, user } from "./connection.js";
import * as progress from "./progress.js";
import * as screen from "./screen.js";
import * as unconfirmed from "./unconfirmed.js";

const { desk: page, copies, worker } = document.querySelector("#desk").dataset;
const STATE = `${page}kept/state`;
const MOST_DONE = 1000; // ids of judged items that are kept

// The service worker says so of a page that it kept.
export const isCopy = document.documentElement.hasAttribute("data-copy");

let isKeeping = "caches" in window && Boolean(navigator.serviceWorker);
let isDue = false;
let saving = Promise.resolve();
const stored = new Map(); // HTML of what is kept, by assignment

export async function begin() {
  if (!isKeeping) return;
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data === "forget") isKeeping = false;
  });
  if (isCopy) await restore().catch(() => {}); // then the page is what it was when it came
  document.addEventListener("desk:items", save);
  save();
  register().catch(() => {}); // forbidden: the desk works all the same
}

async function register() {
  const before = navigator.serviceWorker.controller;
  await navigator.serviceWorker.register(worker);
  const { active } = await navigator.serviceWorker.ready;
  if (before) return;
  const files = performance.getEntriesByType("resource").map(({ name }) => name);
  active.postMessage({ files: files.filter((name) => /\.(css|js|svg)$/.test(new URL(name).pathname)), page });
}

async function restore() {
  const cache = await caches.open(copies);
  const state = await read(cache, STATE);
  if (state?.user !== user) return;
  const items = await Promise.all([state.shown, ...state.queue].map((id) => id && read(cache, keyOf(id))));
  const [shown, ...queue] = items;
  screen.restore({ ...state, shown, queue: queue.filter(Boolean) });
  progress.tell(state.progress);
  const unsent = new Map((await outbox.entries()).filter((entry) => entry.desk === address).map((entry) => [entry.client_id, entry]));
  for (const [clientId, id, written] of state.unconfirmed) {
    const item = await read(cache, keyOf(id));
    if (item && unsent.has(clientId)) unconfirmed.add(unsent.get(clientId), { ...item, written });
  }
}

async function read(cache, key) {
  const found = await cache.match(key);
  return found ? found.json() : null;
}

function keyOf(assignment) {
  return `${page}kept/${assignment}`;
}

// Once for all that changes in one go.
function save() {
  if (isDue || !isKeeping || delivery.trouble?.kind === "signed-out") return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    saving = saving.then(write).catch(() => (isKeeping = false));
  });
}

async function write() {
  if (!isKeeping) return;
  const cache = await caches.open(copies);
  const { shown, queue, done } = screen.held();
  const unsent = unconfirmed.all();
  const items = [...(shown ? [shown] : []), ...queue, ...unsent.map(({ item }) => item)];
  for (const item of items) await keepItem(cache, item);
  const state = {
    user,
    server: screen.now(),
    device: Date.now(),
    shown: shown?.assignment,
    queue: queue.map((item) => item.assignment),
    done: done.slice(-MOST_DONE),
    progress: progress.known(),
    unconfirmed: unsent.map(({ entry, item }) => [entry.client_id, item.assignment, item.written]),
  };
  await put(cache, STATE, state);
  const needed = new Set(items.map((item) => item.assignment));
  for (const assignment of stored.keys()) {
    if (needed.has(assignment)) continue;
    stored.delete(assignment);
    await cache.delete(keyOf(assignment));
  }
}

async function keepItem(cache, item) {
  if (stored.get(item.assignment) === item.html) return;
  stored.set(item.assignment, item.html);
  await put(cache, keyOf(item.assignment), item);
}

function put(cache, key, content) {
  return cache.put(key, new Response(JSON.stringify(content), { headers: { "Content-Type": "application/json" } }));
}
