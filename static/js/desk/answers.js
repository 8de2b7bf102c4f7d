// What is said of the item on the screen. A question is a fieldset with options or ticks: the only one of a
// scheme with one choice, which stands in the form, or those of a sheet, which come with the item.

const desk = document.querySelector("#desk");

export const isSheet = desk.classList.contains("is-sheet");

export function questions() {
  return [...desk.querySelectorAll("fieldset[data-question]")];
}

export function inputs(question = desk) {
  return [...question.querySelectorAll("[data-question] input:is([type=radio], [type=checkbox])")];
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

// All that is set and asked: {name: value}.
export function read() {
  const set = questions().filter(isAsked).flatMap((each) => inputs(each).filter((input) => input.checked));
  return Object.fromEntries(set.map(({ name, value }) => [name, value]));
}

// What was said, in a word or two.
export function words() {
  return desk.dataset.said ?? Object.values(read()).join(" ");
}

export function missing() {
  return open().filter((each) => "needed" in each.dataset && !inputs(each).some((input) => input.checked));
}

export function clear() {
  fill({});
}

// Says what was said before. What stays as it is comes from the server.
export function fill(response) {
  for (const input of inputs()) {
    if (!input.matches(":disabled")) input.checked = response[input.name] === input.value;
  }
}

// As the server sent it: with nothing, or with what was taken back.
export function reset() {
  for (const input of inputs()) input.checked = input.defaultChecked;
}

// Marks what is missing, in words and colour; without `which` nothing is.
const line = document.querySelector("#missing");

export function mark(which = []) {
  for (const each of questions()) {
    const isMissing = which.includes(each);
    each.classList.toggle("wrong", isMissing);
    for (const said of each.querySelectorAll(".missing")) said.hidden = !isMissing;
  }
  line.hidden = !which.length;
  if (isSheet && which.length) line.textContent = `${counted(which.length)} not answered yet, marked above: nothing is saved yet.`;
}

export function counted(n) {
  return n === 1 ? "1 question" : `${n} questions`;
}

// The question has the focus, not one of its options: Space goes on scrolling, and Tab leads to them.
export function focusOn(question) {
  question.closest("section.response, section.passage")?.scrollIntoView({ block: "nearest" });
  if (document.activeElement === question) question.blur(); // so that layout.js brings it into sight again
  question.focus({ preventScroll: true });
}
