// What is said of the item on the screen. A question is a fieldset with options, ticks or a box for a text: the only
// one of a scheme with one choice, which stands in the form, or those of a sheet, which come with the item.

import * as written from "./written.js";

const desk = document.querySelector("#desk");

export const isSheet = desk.classList.contains("is-sheet");

export function questions() {
  return [...desk.querySelectorAll("fieldset[data-question]")];
}

export function inputs(question = desk) {
  return [...question.querySelectorAll("[data-question] input:is([type=radio], [type=checkbox])")];
}

// The boxes that a question is answered in, in words.
export function boxes(question = desk) {
  return [...question.querySelectorAll("[data-question] textarea")];
}

export function hasKey(input, key) {
  return (input.getAttribute("aria-keyshortcuts") ?? "").split(" ").includes(key);
}

// Whether the keyboard is at a question.
export function isAmong(element) {
  return Boolean(element.closest("[data-question]"));
}

// A question may depend on what was said to another.
export function isAsked(question) {
  return !question.classList.contains("unasked");
}

// Those that can be answered now: asked, and of the part on the screen.
export function open() {
  return questions().filter((each) => isAsked(each) && !each.disabled);
}

// What somebody else wrote, with which the sheet begins: {name: value}, empty where it begins with nothing.
export function given() {
  return JSON.parse(desk.querySelector("#sheet")?.dataset.given ?? "{}");
}

// Whether the person wrote something in the box that should not be put away.
export function hasOwnText(box) {
  return written.isWritten(box) && written.stored(box.value) !== given()[box.name];
}

// All that is set and written, and asked: {name: value}.
export function read() {
  return valuesOf(questions().filter(isAsked));
}

// The same with what is not asked at present: who changes their mind finds it again.
export function readAll() {
  return valuesOf(questions());
}

function valuesOf(those) {
  const set = those.flatMap((each) => inputs(each).filter((input) => input.checked));
  const texts = those.flatMap((each) => boxes(each).filter((box) => box.value.trim()));
  return Object.fromEntries([...set, ...texts].map(({ name, value }) => [name, value]));
}

// What is written, for words about what was not saved.
export function texts() {
  return boxes().filter(hasOwnText).map((box) => box.value.trim()).join("\n");
}

// What was said, in a word or two.
export function words() {
  return desk.dataset.said ?? Object.values(read()).join(" ");
}

export function missing() {
  return open().filter(whyMissing);
}

// Why a question is in the way; "" where it is answered as it should be.
function whyMissing(question) {
  if ("unwanted" in question.dataset) return "Something is written here, and you said something else above: empty the box, or change that.";
  const [box] = boxes(question);
  const why = box ? written.objection(box) : "";
  if (why || !("needed" in question.dataset)) return why;
  if (box) return box.value.trim() ? "" : NOT_ANSWERED;
  const all = inputs(question);
  const isAnswered = question.dataset.needed === "all" ? all.every(isSet) : all.some(isSet);
  return isAnswered ? "" : NOT_ANSWERED;
}

const NOT_ANSWERED = "Not answered yet.";

function isSet(input) {
  return input.checked;
}

export function clear() {
  fill({});
}

// Says what was said before. What stays as it is comes from the server.
export function fill(response) {
  for (const input of inputs()) {
    if (!input.matches(":disabled")) input.checked = response[input.name] === input.value;
  }
  for (const box of boxes()) box.value = response[box.name] ?? box.dataset.original ?? "";
}

// As the server sent it: with nothing, or with what was taken back.
export function reset() {
  for (const input of inputs()) input.checked = input.defaultChecked;
  for (const box of boxes()) box.value = box.defaultValue;
}

// Marks what is missing, in words and colour; without `which` nothing is.
const line = document.querySelector("#missing");

export function mark(which = []) {
  for (const each of questions()) {
    const isMissing = which.includes(each);
    each.classList.toggle("wrong", isMissing);
    for (const said of each.querySelectorAll("legend .missing")) {
      said.hidden = !isMissing;
      if (isMissing) said.textContent = whyMissing(each) || NOT_ANSWERED;
    }
  }
  line.hidden = !which.length;
  if (isSheet && which.length) line.textContent = `${counted(which.length)} not answered yet, marked above: nothing is saved yet.`;
}

export function counted(n) {
  return n === 1 ? "1 question" : `${n} questions`;
}

// To a question that is to be answered: into its box, where it has one, so that what is typed lands there.
export function leadTo(question) {
  focusOn(question);
  boxes(question)[0]?.focus({ preventScroll: true });
}

// The question has the focus, not one of its options: Space goes on scrolling, and Tab leads to them.
export function focusOn(question) {
  question.closest("section.response, section.passage")?.scrollIntoView({ block: "nearest" });
  if (document.activeElement === question) question.blur(); // so that layout.js brings it into sight again
  question.focus({ preventScroll: true });
}
