// Which item is on the screen: the next one that was fetched ahead, or words while there is none. Where
// nothing more comes, the page is left for the one that says why.

import * as answers from "./answers.js";
import * as batch from "./batch.js";
import { delivery, outbox, user } from "./connection.js";
import * as expected from "./expected.js";
import * as firstPart from "./first_part.js";
import * as keys from "./keys.js";
import * as news from "./news.js";
import * as screen from "./screen.js";

const { desk: page, claimSeconds } = document.querySelector("#desk").dataset;
const CLAIM = 1000 * Number(claimSeconds);
let isLast = false; // nothing more comes, and there are notes to read first
let held = false;

// While the page is about to be left nothing is judged.
export function hold(isSo) {
  held = isSo;
}

export function isHeld() {
  return held;
}

// Once half of what may be held is judged, the rest is asked for.
export function nWanted() {
  const n = screen.ahead().length;
  return n <= batch.maxItems() / 2 ? batch.maxItems() - n : 0;
}

export function goOn() {
  keys.stop();
  if (navigator.onLine) screen.dropStale(CLAIM);
  const item = screen.next();
  if (item) history.replaceState(null, "", page); // the address may name an item that is judged now
  put(item);
}

// After what was expected of the item before.
export function goOnOrFill() {
  goOn();
  if (!screen.shown) fill(false);
}

// An item that was on the screen before; the one that is there now comes after it.
export function showAgain(item) {
  expected.close();
  screen.letIn(item.assignment);
  screen.setAside();
  put(item);
}

function put(item) {
  firstPart.forget();
  screen.show(item, waitingWords());
  keys.swapped();
  screen.lead();
}

// Says why there is no item on the screen.
export function showWaiting() {
  if (!screen.shown && !expected.isShown()) screen.show(null, waitingWords(), isLast);
}

function waitingWords() {
  if (isLast) return "Nothing more is at hand.";
  const what = expected.isOpen() ? "What was expected" : "The next item";
  switch (delivery.trouble?.kind) {
    case "unreachable":
      return `${what} comes when you are online.`;
    case "unable":
      return `${what} comes when the server can send it.`;
    case "signed-out":
      return `${what} comes when ${user} is signed in.`;
    case "gone":
      return "Nothing more comes here.";
    default:
      return `${what} is on its way…`;
  }
}

// Nothing is on the screen. `wasAsked`: the server was asked for items just now.
export async function fill(wasAsked) {
  if (expected.isOpen()) return;
  if (screen.ahead().length) return goOn();
  if (!wasAsked || (await outbox.entries()).length) return delivery.wake();
  leave();
}

// Was it judged or skipped in another tab or on another device, it leaves the screen.
export function leaveOut(assignment) {
  const isShown = screen.shown?.assignment === assignment;
  const text = isShown ? answers.texts() : "";
  screen.leaveOut(assignment);
  if (!isShown) return;
  if (text) news.note(`You answered that item in another tab or on another device. Here you had written: “${text}”`);
  goOn();
  news.remark("You answered that item in another tab or on another device.");
  delivery.wake();
}

// The server's page says what is to be done now. Notes are read before.
export function leave() {
  if (held) return;
  isLast = news.hasNotes();
  if (!isLast) location.replace(page);
  else showWaiting();
}

document.addEventListener("desk:dismissed", () => {
  if (isLast && !news.hasNotes()) leave();
});
