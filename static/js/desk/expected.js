// Training: after each judgement what was expected of the item, as the server tells it, and then the next item when
// the person asks for it. Without a network it comes when that is back; until then nothing else is on the screen.

import * as news from "./news.js";
import * as screen from "./screen.js";

const desk = document.querySelector("#desk");
const judged = document.querySelector("#judged");
const waiting = document.querySelector("#waiting");
const onward = document.querySelector("#onward");

export const isTraining = desk.hasAttribute("data-training");
let awaited = null; // the assignment of which it is to be told
let isTold = false;

// Whether it is being waited for, or is on the screen: the next item has to wait.
export function isOpen() {
  return awaited !== null;
}

export function isShown() {
  return isTold;
}

export function close() {
  awaited = null;
  isTold = false;
  if (onward) onward.hidden = true;
}

// The item that was just judged leaves the screen; another one that stands there comes after it.
export function wait(assignment) {
  awaited = assignment;
  isTold = false;
  clear();
}

function clear() {
  if (screen.shown && screen.shown.assignment !== awaited) screen.setAside();
  screen.show(null);
}

// What the server said of judgements. Returns whether the next item is due, because nothing is told of this one.
export function take(answered) {
  const last = answered.filter(({ result }) => result.expected).at(-1);
  if (last) tell(last);
  else if (isOpen() && !isTold && answered.some(({ entry }) => entry.assignment === awaited)) {
    close();
    return true;
  }
  return false;
}

export function isAbout({ entry }) {
  return entry.assignment === awaited;
}

function tell({ entry, result }) {
  awaited = entry.assignment;
  clear();
  isTold = true;
  waiting.hidden = true;
  judged.innerHTML = result.expected;
  onward.hidden = false;
  onward.querySelector("button").focus({ preventScroll: true });
  window.scrollTo(0, 0);
  news.say(judged.querySelector(".expected").textContent.replace(/\s+/g, " ").trim());
}

// A key that is still down from the judgement does not lead on.
export function listen(onNext) {
  const button = onward?.querySelector("button");
  button?.addEventListener("keydown", (event) => {
    if (event.repeat) event.preventDefault();
  });
  button?.addEventListener("click", () => {
    close();
    judged.replaceChildren();
    onNext();
  });
}
