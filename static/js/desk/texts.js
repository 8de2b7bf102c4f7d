// What was written on a sheet and not submitted, kept on this device for its author: closing the browser loses nothing.
// It goes when it is submitted, when the author signs out (static/js/unsent.js), and after a while.

import { forget, keep, kept, keys } from "./kept.js";

// In which a page tells all others of this browser that its author signs out.
const CHANNEL = "touchstone-signing-out";

const BEGINS = "touchstone.text:";
const LONGEST = 30 * 24 * 60 * 60 * 1000; // milliseconds

function keyOf(user, attempt = "") {
  return `${BEGINS}${user}:${attempt}`;
}

export function keepText(user, attempt, said) {
  keep("localStorage", keyOf(user, attempt), { said, at: Date.now() });
}

// What was said of the item, with its text; undefined where nothing is kept.
export function keptText(user, attempt) {
  return kept("localStorage", keyOf(user, attempt)).said;
}

// `attempt` may be the beginning of several; without one all of this person's go.
export function forgetTexts(user, attempt) {
  forget("localStorage", keyOf(user, attempt));
}

// The author signs out: what is kept goes, and no tab keeps it again.
export function endTexts(user) {
  forgetTexts(user);
  if (window.BroadcastChannel) new BroadcastChannel(CHANNEL).postMessage(user);
}

export function onEndOfTexts(user, act) {
  if (!window.BroadcastChannel) return;
  new BroadcastChannel(CHANNEL).addEventListener("message", ({ data }) => data === user && act());
}

export function hasTexts(user) {
  return keys("localStorage").some((key) => key.startsWith(keyOf(user)));
}

// Of whoever: nobody comes back for it.
export function forgetOld() {
  for (const key of keys("localStorage")) {
    if (key.startsWith(BEGINS) && Date.now() - (kept("localStorage", key).at ?? 0) > LONGEST) forget("localStorage", key);
  }
}
