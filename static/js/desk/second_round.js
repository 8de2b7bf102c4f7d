// A second round: what somebody else wrote is kept as it is, or changed. While it is kept its fields are shut.

import * as answers from "./answers.js";
import { say } from "./news.js";

const desk = document.querySelector("#desk");
const changes = new WeakMap(); // what was made of it before it was kept, by the element of the sheet

function kept() {
  return answers.inputs().find((each) => each.name === "kept" && each.checked)?.value;
}

// The ticks at sentences, and the box: what is shut.
function fields() {
  return [...desk.querySelectorAll(".asked-sentences input"), ...answers.boxes()];
}

// As the answer is kept or not.
export function shut() {
  const isShut = kept() === "keep";
  for (const each of fields()) {
    if (each.type === "checkbox") each.disabled = isShut;
    else each.readOnly = isShut;
  }
  const copies = desk.querySelector("[data-copies-ticked]");
  if (copies) copies.hidden = isShut;
}

function outcomes() {
  return answers.inputs().filter((each) => each.name === "outcome");
}

function values() {
  const set = [...outcomes(), ...fields()].filter((each) => (each.type === "textarea" ? each.value.trim() : each.checked));
  return Object.fromEntries(set.map(({ name, value }) => [name, value]));
}

function fill(said) {
  for (const each of [...outcomes(), ...fields()]) {
    if (each.type === "textarea") each.value = said[each.name] ?? "";
    else each.checked = said[each.name] === each.value;
  }
}

function isSame(one, other) {
  const names = Object.keys({ ...one, ...other });
  return names.every((name) => one[name] === other[name]);
}

function keep(sheet) {
  const [own, given] = [values(), answers.given()];
  if (isSame(own, given)) return;
  changes.set(sheet, own);
  fill(given);
  say("All is as it was written. What you changed comes back if you choose to change something.");
}

// Before sheet.js tells what is asked then.
desk.addEventListener(
  "change",
  ({ target }) => {
    const sheet = document.querySelector("#sheet[data-given]");
    if (!sheet) return;
    if (target.name === "kept" && target.value === "keep") keep(sheet);
    else if (target.name === "kept" && changes.has(sheet)) fill(changes.get(sheet));
    else if (target.name === "outcome" && target.value !== answers.given().outcome) leaveKept();
  },
  true,
);

// What is kept has the outcome that was written.
function leaveKept() {
  for (const each of answers.inputs()) if (each.name === "kept" && each.value === "keep") each.checked = false;
}
