// How far one is, while the page stays. The server says it now and then; between, what was judged is counted.

import * as words from "./words.js";

const given = document.querySelector("#desk").dataset;
const place = document.querySelector(".desk-bar .progress");
const bar = document.querySelector(".done progress");
const heading = document.querySelector("h1");
const title = document.title.split(" · ").slice(1).join(" · ");

// As the server knows it. `n_unsent` judgements it does not know of yet.
let told = {
  n_done: Number(given.nDone),
  n_left: Number(given.nLeft),
  is_more: given.isMore === "True",
  seconds_left: given.secondsLeft === "" ? null : Number(given.secondsLeft),
  n_refused: Number(given.nRefused ?? 0),
  n_part: Number(given.nPart ?? 0),
  // null: how many of these are judged is not told.
  n_part_done: given.nPartDone ? Number(given.nPartDone) : null,
};
// Of one judgement, in ten-thousandths; only a paid batch has one.
const reward = Number(given.reward ?? 0);

// To count takes the server longer than to store a judgement: it is asked after so many, near the end, where
// what others take is felt, and at the beginning, while no pace is known.
const RARELY = 10;
let nSince = 0; // judgements stored since it was asked

export function isDue() {
  return nSince >= RARELY || (!told.is_more && told.n_left <= RARELY) || told.seconds_left === null;
}

export function tell(progress) {
  told = progress;
  nSince = 0;
}

// What another tab knows: the same, or more. (Both may have heard of the same judgements.)
export function tellElsewhere(progress) {
  if (progress.n_done > told.n_done) told = progress;
}

export function known() {
  return told;
}

// So many more are stored than when the server last said how far one is.
export function move(n) {
  nSince += n;
  told = moved(n);
}

function isTold({ n_part, n_part_done }) {
  return Boolean(n_part) && n_part_done !== null;
}

function moved(n) {
  const n_left = told.is_more ? told.n_left : Math.max(0, told.n_left - n);
  const pace = told.n_left ? told.seconds_left / told.n_left : 0;
  return {
    ...told,
    n_done: told.n_done + n,
    n_left,
    seconds_left: told.seconds_left === null ? null : pace * n_left,
    n_part_done: isTold(told) ? Math.min(told.n_part, told.n_part_done + n) : null,
  };
}

export function show(n_unsent) {
  const far = moved(n_unsent);
  const { count, pace, isKnown } = words.progress(far, Number(given.expected));
  const beside = document.createElement("span");
  beside.className = isKnown ? "pace" : "pace unknown";
  beside.textContent = pace;
  place.replaceChildren(`${count} `, beside);
  if (far.n_part) place.append(" ", part(far));
  if (reward) place.append(" ", earned(far));
  heading.textContent = words.itemNumber(far);
  document.title = `${heading.textContent} · ${title}`;
  if (!bar) return;
  bar.max = Math.max(1, far.n_done + far.n_left);
  bar.value = far.n_done;
  bar.textContent = count;
}

function part({ n_part, n_part_done }) {
  const said = document.createElement("span");
  said.className = "pace";
  said.textContent = `· your part: ${words.part(n_part, n_part_done)}`;
  return said;
}

function earned({ n_done, n_refused }) {
  const said = document.createElement("span");
  said.className = "pace";
  const sum = words.money(Math.max(0, n_done - n_refused) * reward, given.sign);
  said.textContent = `· ${sum} so far`;
  return said;
}

export function itemNumber() {
  return heading.textContent;
}
