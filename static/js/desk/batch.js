// The batch as the server last described it, here or in another tab. Its state is open, paused, wait (nothing
// for this person for now), over (past its deadline), closed, withdrawn or left (the person was taken off it); a
// change of it is shown at once.

import { now } from "./screen.js";

const { state, deadline, depth } = document.querySelector("#desk").dataset;
const notes = [...document.querySelectorAll("#state [data-when]")];
const LONGEST_TIMER = 2 ** 31 - 1; // milliseconds; a longer one would end at once

let batch = { state, deadline, depth: Number(depth) };
let shownState = currentState();
let timer = null;

export function isClosed() {
  return ["closed", "withdrawn", "left"].includes(batch.state);
}

// How many items this page may hold.
export function maxItems() {
  return batch.depth;
}

export function update(fresh) {
  batch = fresh;
  show();
}

// A person who goes on has read the note that the batch does.
export function hideNoteThatItGoesOn() {
  if (shownState === "open") for (const note of notes) note.hidden = true;
}

function timeLeft() {
  return batch.deadline ? Date.parse(batch.deadline) - Date.parse(now()) : Infinity;
}

function currentState() {
  return !isClosed() && timeLeft() <= 0 ? "over" : batch.state;
}

function show() {
  clearTimeout(timer);
  if (timeLeft() > 0 && timeLeft() < LONGEST_TIMER) timer = setTimeout(show, timeLeft());
  const current = currentState();
  if (current === shownState) return;
  shownState = current;
  for (const note of notes) note.hidden = note.dataset.when !== current;
}

show();
