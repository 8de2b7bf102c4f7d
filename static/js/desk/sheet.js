// A sheet on the desk: what depends on what was said, and the way from question to question. Of a first part the
// page has no more than that: what follows, and the passages, come from the server once it is answered.

import * as answers from "./answers.js";
import { isInSightAsFarAsItFits, measure } from "./layout.js";
import { remark, say } from "./news.js";
import * as secondRound from "./second_round.js";
import * as writing from "./writing.js";

const desk = document.querySelector("#desk");
const submit = document.querySelector("#judgement .submit");
const left = document.querySelector("#left");

function sheet() {
  return document.querySelector("#sheet");
}

// The item, or a part of it, that came on the screen.
export function begin() {
  submit.querySelector("button span").textContent = opens() ? `Show the ${opens()}` : "Submit";
  tell();
}

// What is shown once all of this part is answered: "passages", say; nothing where it is the last part.
export function opens() {
  return sheet().dataset.next;
}

// What was said is on its way, and stays as it is.
export function hold(isSo) {
  for (const each of answers.questions()) each.inert = isSo;
}

// What is asked in view of what was said, and how much of it is left.
function tell() {
  for (const each of answers.questions()) {
    const said = answers.read(); // what rests on a question that was asked no more is asked no more either
    const { onlyIf, onlyLabels } = each.dataset;
    if (!onlyIf) continue;
    // What was written stays in sight: it is never left out without a word.
    const isWanted = onlyLabels.split(" ").includes(said[onlyIf]);
    const isWritten = answers.boxes(each).some(answers.hasOwnText);
    each.classList.toggle("unasked", !isWanted && !isWritten);
    each.toggleAttribute("data-unwanted", !isWanted && isWritten);
  }
  secondRound.shut();
  writing.tell();
  const n = answers.missing().length;
  left.textContent = n ? `${answers.counted(n)} left` : opens() ? "All answered" : "All answered: ready to submit";
  markNext();
  measure();
}

// Which question a key answers, while the text has the focus.
function markNext() {
  const next = at() ? null : current();
  for (const each of answers.questions()) each.classList.toggle("is-next", each === next);
}

// Where the keyboard is: the question, and the answer or passage that it is about.
function at() {
  return document.activeElement.closest("#desk [data-question]") ?? null;
}

// While one reads it is the first that is open; where all is answered, the first to be changed.
export function current() {
  const reads = document.activeElement.matches("body, #judged");
  return at() ?? answers.missing()[0] ?? (reads ? answers.open()[0] : null) ?? null;
}

// What a key sets: of the current question, else of another one about the same thing.
export function inputFor(key) {
  const question = current();
  if (!question) return null;
  const about = question.closest("section.response, section.passage, .keys-together");
  const beside = answers.open().filter((each) => about?.contains(each));
  const all = [question, ...beside].flatMap((each) => answers.inputs(each));
  return all.find((each) => !each.matches(":disabled") && answers.hasKey(each, key)) ?? null;
}

// A question that one does not see is not answered: the first key leads there.
export function set(input) {
  const question = input.closest("[data-question]");
  if (!isInSightAsFarAsItFits(input.closest("label"))) {
    // Of many sentences to the one that is meant: the first may be in sight, and this one never.
    return question.matches(".asked-sentences") ? focusAnew(input) : answers.focusOn(question);
  }
  input.checked = input.type === "radio" || !input.checked;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  if (input.type === "radio") goOn(question);
  else say(`${input.labels[0].querySelector("span").textContent}: ${input.checked ? "ticked" : "not ticked"}`);
}

// Where it has the focus already too, so that layout.js brings it into sight again.
function focusAnew(input) {
  input.blur();
  input.focus();
}

// A digit where the question wants a letter: 1 is "no" on a scale, and would be "yes" here.
export function tellKeys(key) {
  const wantsLetter = current() && answers.inputs(current()).some((each) => answers.hasKey(each, "y"));
  if (!wantsLetter || !/^\d$/.test(key)) return false;
  remark("Press y for yes or n for no.");
  return true;
}

// To what is not answered yet, first after this question; where all is answered, to the button.
export function goOn(question) {
  const missing = answers.missing();
  const isAfter = (each) => question.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING;
  const next = missing.find(isAfter) ?? missing[0];
  if (next) answers.leadTo(next);
  else {
    submit.querySelector("button").focus();
    ledTo = submit.querySelector("button");
  }
}

// The button that the script led to: who scrolls on by Space does not press it.
let ledTo = null;
submit.querySelector("button").addEventListener("blur", () => (ledTo = null));

export function isLedTo(element) {
  return element === ledTo;
}

// Past the last question. The way back is by ArrowUp: there may be ticks before the button that nothing led to.
export function isAtEnd(element) {
  return element === submit.querySelector("button");
}

// Enter goes on from ticks that are set as they should be, and into the box of a text; whether it did.
export function goOnFromTicks() {
  const question = at();
  if (question && answers.boxes(question).length) {
    answers.leadTo(question);
    return true;
  }
  if (!question?.matches(".asked-ticks, .asked-sentences") || answers.missing().includes(question)) return false;
  goOn(question);
  return true;
}

// To the question before or after; among sentences to the one before or after.
export function step(by) {
  const all = answers.open();
  const question = at();
  if (question?.matches(".asked-sentences") && stepAmong(question, by)) return;
  const to = question ? all[all.indexOf(question) + by] : isAtEnd(document.activeElement) ? all.at(-1) : current();
  if (to) answers.focusOn(to);
}

function stepAmong(question, by) {
  const ticks = answers.inputs(question).filter((each) => !each.disabled);
  const to = ticks[ticks.indexOf(document.activeElement) + by];
  if (by < 0 && document.activeElement === question) return false;
  to?.focus();
  return Boolean(to);
}

desk.addEventListener("input", (event) => {
  if (answers.isSheet && event.target.matches("[data-question] textarea")) changed(event.target);
});
desk.addEventListener("change", (event) => changed(event.target));

function changed(element) {
  const question = element.closest("[data-question]");
  if (!answers.isSheet || !question) return;
  tell();
  if (question.classList.contains("wrong")) answers.mark(answers.missing().filter((each) => each.classList.contains("wrong")));
}
if (answers.isSheet) {
  desk.addEventListener("focusin", markNext);
  desk.addEventListener("focusout", () => setTimeout(markNext));
}
