// What stays in sight at the edges of the screen, and how high it is: the rest has to lie between.

const root = document.documentElement;
const bar = document.querySelector("#desk .choice-bar");
const trouble = document.querySelector("#trouble");
let atTop = 0; // the height of what lies at the top of the screen, above the question

function question() {
  return document.querySelector("#desk .question");
}

function height(element) {
  return element && getComputedStyle(element).position === "sticky" ? Math.ceil(element.getBoundingClientRect().height) : 0;
}

// How far down the screen what is judged is covered.
function covered() {
  return atTop + height(question());
}

// For the style sheet: the heights of what stays, and of the columns that stay beside a longer one.
export function measure() {
  keepTroubleInSight();
  root.style.setProperty("--question", `${covered() + 8}px`);
  root.style.setProperty("--choice-bar", `${height(bar) + 8}px`);
  for (const column of document.querySelectorAll(".has-passages > *, .has-passages .response, .beside > *")) {
    column.style.setProperty("--height", `${Math.ceil(column.getBoundingClientRect().height)}px`);
  }
}

// What is in the way is said below the choice, and at the top of the screen where one would not see it there. The
// choice stays where it is.
export function keepTroubleInSight() {
  const { top } = bar.getBoundingClientRect();
  const isBelow = trouble.getBoundingClientRect().bottom > innerHeight;
  const isAtTop = !trouble.hidden && (isBelow || trouble.classList.contains("at-top"));
  trouble.classList.toggle("at-top", isAtTop);
  atTop = isAtTop ? Math.ceil(trouble.getBoundingClientRect().height) : 0;
  root.style.setProperty("--trouble", `${atTop}px`);
  scrollSo(top);
}

// Twice: while it is held at the lower edge the choice moves by less than the page.
function scrollSo(top) {
  for (let n = 0; n < 2; n += 1) window.scrollBy({ top: bar.getBoundingClientRect().top - top, behavior: "instant" });
}

// Whether one sees it whole, between what stays at the edges.
export function isInSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= covered() - 1 && bottom <= innerHeight - coveredBelow(element) + 1;
}

// Whether one sees it whole, or some of what is higher than the room between the edges.
export function isInSightAsFarAsItFits(element) {
  const { top, bottom } = element.getBoundingClientRect();
  const from = covered() - 1;
  const to = innerHeight - coveredBelow(element) + 1;
  return isInSight(element) || (bottom - top > to - from && top < to && bottom > from);
}

// The box of a text stays below the passage that one reads, where they do not stand side by side.
function coveredBelow(element) {
  const box = element.closest(".passages") && document.querySelector("#desk .asked-text:not(.unasked)");
  return height(bar) + height(box);
}

// A column that stays in its place does not come nearer by scrolling: for that it goes with the page.
export function bringIntoSight(element) {
  if (isInSight(element)) return;
  const column = element.closest(".beside > *");
  if (column) column.style.position = "static";
  element.scrollIntoView({ block: "nearest" });
  if (column) column.style.position = "";
}

// On by a screen, as Space does where nothing has the focus.
export function scrollByScreen(isUp) {
  const step = 0.875 * (innerHeight - covered() - height(bar));
  window.scrollBy(0, isUp ? -step : step);
}

new ResizeObserver(measure).observe(bar);
window.addEventListener("resize", measure);

// Who presses something sees it. Were the page to move then, the release would be on something else, and no click.
let isPressed = false;
document.addEventListener(
  "mousedown",
  () => {
    isPressed = true;
    setTimeout(() => {
      isPressed = false;
    });
  },
  true,
);
document.addEventListener("focusin", ({ target }) => {
  if (isPressed || !target.closest("#desk [data-question]")) return;
  bringIntoSight(target.closest("label") ?? target);
  if (target.matches("fieldset")) bringIntoSight(target.querySelector("label, textarea"));
});
