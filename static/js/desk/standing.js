// How the batch stands: open, paused, wait (nothing for this person for now), over (past its deadline) or
// closed. What changes is said at once.

import { now } from "./screen.js";

const { state, deadline } = document.querySelector("#desk").dataset;
const notes = [...document.querySelectorAll("#state [data-when]")];
const LONGEST_TIMER = 2 ** 31 - 1; // milliseconds; a longer one would end at once

let told = { state, deadline };
let shown = standing();
let timer = null;

function toGo() {
  return told.deadline ? Date.parse(told.deadline) - Date.parse(now()) : Infinity;
}

function standing() {
  return told.state !== "closed" && toGo() <= 0 ? "over" : told.state;
}

function show() {
  clearTimeout(timer);
  if (toGo() > 0 && toGo() < LONGEST_TIMER) timer = setTimeout(show, toGo());
  const found = standing();
  if (found === shown) return;
  shown = found;
  for (const note of notes) note.hidden = note.dataset.when !== found;
}

// What the server says of the batch.
export function tell(batch) {
  told = batch;
  show();
}

// Whoever went on has read that the batch does.
export function wentOn() {
  if (shown === "open") for (const note of notes) note.hidden = true;
}

show();
