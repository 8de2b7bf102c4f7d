// Active time of an item: the page is visible and the last input is less than two minutes old.

const AWAY_AFTER = 2 * 60 * 1000;
const INPUTS = ["keydown", "pointerdown", "pointermove", "wheel", "touchmove", "scroll"];

let active = 0;
let counted = performance.now();
let lastInput = counted;
let isHeld = false; // the person takes a break
let wasVisible = document.visibilityState === "visible";

function count() {
  const now = performance.now();
  if (wasVisible && !isHeld) active += Math.max(0, Math.min(now, lastInput + AWAY_AFTER) - counted);
  counted = now;
  wasVisible = document.visibilityState === "visible";
}

function input() {
  count();
  lastInput = counted;
}

for (const type of INPUTS) {
  document.addEventListener(type, input, { passive: true, capture: true });
}
document.addEventListener("visibilitychange", count);

export function hold(isSo) {
  count();
  isHeld = isSo;
  lastInput = counted;
}

// Begins anew with what was counted of the item before, in milliseconds.
export function begin(before = 0) {
  count();
  active = before;
}

export function milliseconds() {
  count();
  return active;
}
