/* The sampling desk: the threshold is moved by a slider or on the picture; the numbers come from the server. */
"use strict";

const form = document.getElementById("rule-form");
const threshold = form.elements.threshold;
const slider = document.getElementById("threshold-slider");
const draw = document.getElementById("draw");
const picture = () => document.getElementById("histogram");

function scale() {
  const { low, high, step } = picture().dataset;
  return { low: Number(low), high: Number(high), step: Number(step) };
}

function showMark() {
  const { low, high } = scale();
  const x = 1000 * Math.min(1, Math.max(0, (Number(threshold.value) - low) / (high - low)));
  const mark = picture().querySelector(".mark");
  mark.setAttribute("x1", x);
  mark.setAttribute("x2", x);
  picture().querySelector(".left-out").setAttribute("width", x);
}

function follow() {
  if (threshold.value.trim() === "" || Number.isNaN(Number(threshold.value))) return;
  slider.value = threshold.value;
  showMark();
}

function move(value) {
  const { low, high, step } = scale();
  const steps = Math.round((Math.min(high, Math.max(low, value)) - low) / step);
  threshold.value = Number((low + steps * step).toFixed(9));
  threshold.dispatchEvent(new Event("input", { bubbles: true }));
}

function begin() {
  if (!picture().dataset.low) return; // there is no picture yet
  const { low, high, step } = scale();
  Object.assign(slider, { min: low, max: high, step });
  slider.hidden = false;
  follow();
}

// Its own event would ask the server too: the number's does.
slider.addEventListener("input", (event) => {
  event.stopPropagation();
  move(Number(slider.value));
});
threshold.addEventListener("input", follow);

function pointed(event) {
  const svg = event.target.closest(".histogram svg.chart[role=img]");
  if (!svg || !(event.buttons & 1)) return;
  const box = svg.getBoundingClientRect();
  const { low, high } = scale();
  move(low + ((event.clientX - box.left) / box.width) * (high - low));
}
form.addEventListener("pointerdown", pointed);
form.addEventListener("pointermove", pointed);

// A table that was opened stays open when its numbers change.
const opened = new Set();
document.addEventListener("toggle", ({ target }) => {
  if (!target.isConnected || !target.id) return;
  opened[target.open ? "add" : "delete"](target.id);
}, true);
function reopen() {
  for (const id of opened) {
    const details = document.getElementById(id);
    if (details) details.open = true;
  }
}

// What is drawn is what the numbers are of: until they are there, nothing can be drawn.
form.addEventListener("input", () => { if (draw) draw.disabled = true; });
document.body.addEventListener("htmx:afterSettle", () => {
  const numbers = document.getElementById("numbers");
  numbers.removeAttribute("aria-busy");
  if (draw) draw.disabled = !("canDraw" in numbers.dataset);
  reopen();
  begin();
});
document.body.addEventListener("htmx:beforeRequest", () => {
  document.getElementById("numbers").setAttribute("aria-busy", "true");
});
for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.body.addEventListener(failure, () => {
    document.getElementById("desk-problem").hidden = false;
  });
}
document.body.addEventListener("htmx:afterOnLoad", () => { document.getElementById("desk-problem").hidden = true; });

document.getElementById("show-rule").hidden = true;
begin();
