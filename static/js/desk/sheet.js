// A sheet on the desk: which part of it is open, what depends on what was said, and the way from question to
// question. What was said in a part that is over stays as it is.

import * as answers from "./answers.js";
import { say } from "./news.js";

const desk = document.querySelector("#desk");
const submit = document.querySelector("#judgement .submit");
const left = document.querySelector("#left");

export let part = 1;
export let movedAt = -Infinity; // performance.now() of the last move to another question

function sheet() {
  return document.querySelector("#sheet");
}

function nParts() {
  return Number(sheet().dataset.nParts);
}

// The item on the screen; `opened` is the part that was open before, where it was there before.
export function begin(opened) {
  part = Number(opened ?? sheet().dataset.part);
  show();
}

function show() {
  for (const each of answers.questions()) {
    each.hidden = Number(each.dataset.part) > part;
    each.disabled = Number(each.dataset.part) < part;
  }
  for (const each of desk.querySelectorAll("[data-from]")) each.hidden = Number(each.dataset.from) > part;
  for (const each of desk.querySelectorAll("[data-only]")) each.hidden = Number(each.dataset.only) !== part;
  submit.querySelector("button span").textContent = part < nParts() ? sheet().dataset.opener : "Submit";
  measure();
  tell();
}

// What stands below the question has to know how high that is.
function measure() {
  const question = desk.querySelector(".question:not(.long)");
  const height = Math.ceil(question?.getBoundingClientRect().height ?? 0) + 8;
  document.documentElement.style.setProperty("--question", `${height}px`);
}

// What is asked in view of what was said, and how much of it is left.
function tell() {
  const said = answers.read();
  for (const each of answers.questions()) {
    const { onlyIf, onlyLabels } = each.dataset;
    if (onlyIf) each.classList.toggle("unasked", !onlyLabels.split(" ").includes(said[onlyIf]));
  }
  const n = answers.missing().length;
  left.textContent = n ? `${answers.counted(n)} left` : part < nParts() ? "All answered" : "All answered: ready to submit";
}

export function hasNext() {
  return part < nParts();
}

export function openNext() {
  part += 1;
  show();
  movedAt = performance.now();
  say(`${desk.querySelector(`[data-only="${part}"]`).textContent.trim()}`);
}

// Where the keyboard is: the question, and the answer or passage that it is about.
function at() {
  return document.activeElement.closest("#desk [data-question]") ?? null;
}

export function current() {
  return at() ?? answers.missing()[0] ?? null;
}

// What a key sets: of the current question, else of another one about the same thing.
export function inputFor(key) {
  const question = current();
  if (!question) return null;
  const about = question.closest("section.response, section.passage");
  const beside = answers.open().filter((each) => about?.contains(each));
  const all = [question, ...beside].flatMap((each) => answers.inputs(each));
  return all.find((each) => !each.matches(":disabled") && answers.hasKey(each, key)) ?? null;
}

export function set(input) {
  const question = input.closest("[data-question]");
  input.checked = input.type === "radio" || !input.checked;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  if (input.type === "radio") goOn(question);
  else say(`${input.labels[0].querySelector("span").textContent}: ${input.checked ? "ticked" : "not ticked"}`);
}

// To what is not answered yet, first after this question; where all is answered, to the button.
export function goOn(question) {
  const missing = answers.missing();
  const isAfter = (each) => question.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING;
  const next = missing.find(isAfter) ?? missing[0];
  movedAt = performance.now();
  if (next) answers.focusOn(next);
  else submit.querySelector("button").focus();
}

// Enter goes on from ticks that are set as they should be; whether it did.
export function goOnFromTicks() {
  const question = at();
  if (!question?.classList.contains("ticks") || answers.missing().includes(question)) return false;
  goOn(question);
  return true;
}

// To the question before or after.
export function step(by) {
  const all = answers.open();
  const question = at();
  const to = question ? all[all.indexOf(question) + by] : current();
  if (to) answers.focusOn(to);
}

export function lead() {
  const first = answers.missing()[0] ?? answers.open()[0];
  if (first) answers.inputs(first)[0].focus({ preventScroll: true });
}

desk.addEventListener("change", (event) => {
  const question = event.target.closest("[data-question]");
  if (!answers.isSheet || !question) return;
  tell();
  if (question.classList.contains("wrong")) answers.mark(answers.missing().filter((each) => each.classList.contains("wrong")));
});
if (answers.isSheet) window.addEventListener("resize", measure);
