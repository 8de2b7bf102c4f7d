// The desk by keyboard. Without this script the same page is a plain form.

const desk = document.querySelector("#desk");
const form = document.querySelector("#judgement");
const said = document.querySelector("#said");
const comment = form.elements.comment;
const options = [...form.querySelectorAll("input[name=label]")];

// What this browser keeps. Where it keeps nothing, the desk works all the same.
function kept(store, key) {
  try {
    return JSON.parse(window[store].getItem(key)) ?? {};
  } catch {
    return {};
  }
}

function keep(store, key, value) {
  try {
    window[store].setItem(key, JSON.stringify(value));
  } catch {
    // Forbidden or full: nothing that was judged depends on it.
  }
}

// Active time: the page is visible and the last input is less than two minutes old.
const AWAY_AFTER = 2 * 60 * 1000;
const attempt = `desk:${desk.dataset.attempt}`;
const before = kept("sessionStorage", attempt); // from before a reload, or a look elsewhere
let active = before.active ?? 0;
let counted = performance.now();
let lastInput = counted;
let wasVisible = document.visibilityState === "visible";

function count() {
  const now = performance.now();
  if (wasVisible) active += Math.max(0, Math.min(now, lastInput + AWAY_AFTER) - counted);
  counted = now;
  wasVisible = document.visibilityState === "visible";
}

function input() {
  count();
  lastInput = counted;
}

function keepAttempt() {
  count();
  keep("sessionStorage", attempt, { active, shownAt: form.elements.shown_at.value, comment: comment.value });
}

for (const type of ["keydown", "pointerdown", "pointermove", "wheel", "touchmove", "scroll"]) {
  document.addEventListener(type, input, { passive: true, capture: true });
}
document.addEventListener("visibilitychange", keepAttempt);
window.addEventListener("pagehide", keepAttempt);

if (before.shownAt) form.elements.shown_at.value = before.shownAt;
if (before.comment && !comment.value) {
  comment.value = before.comment;
  comment.closest("details").open = true;
}

// Submitting, once
function missing() {
  document.querySelector("#missing").hidden = false;
  form.querySelector("fieldset").classList.add("wrong");
  options[0].focus();
  said.textContent = document.querySelector("#missing").textContent;
}

form.addEventListener("submit", (event) => {
  stop();
  if (!options.some((option) => option.checked)) {
    event.preventDefault();
    missing();
    return;
  }
  count();
  form.elements.active_seconds.value = (active / 1000).toFixed(3);
  keep("sessionStorage", "desk:sent", { item: desk.dataset.item });
});

for (const each of document.querySelectorAll("form[method=post]")) {
  each.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    if (each.dataset.sent) event.preventDefault();
    each.dataset.sent = "yes";
  });
}
window.addEventListener("pageshow", (event) => {
  if (event.persisted) for (const each of document.forms) delete each.dataset.sent;
});

// The server has it: only then it is said.
if (kept("sessionStorage", "desk:sent").item === (desk.dataset.last ?? "none")) {
  const words = document.querySelector(".last p").textContent.replace("✓", "").trim();
  setTimeout(() => (said.textContent = `${words}. ${document.querySelector("h1").textContent}.`), 100);
}
try {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith("desk:") && key !== attempt) sessionStorage.removeItem(key);
  }
} catch {
  // There is nothing to tidy.
}

// How keys behave, kept in this browser
const settings = { beat: 150, keys: true, ...kept("localStorage", "touchstone.desk") };
const beat = document.querySelector("#beat");
const keysOn = document.querySelector("#keys-on");

function showSettings() {
  beat.value = settings.beat;
  document.querySelector("#beat-said").textContent = beat.value;
  keysOn.checked = settings.keys;
  document.body.classList.toggle("keys-off", !settings.keys);
}

document.querySelector("#settings").addEventListener("input", () => {
  settings.beat = Number(beat.value);
  settings.keys = keysOn.checked;
  keep("localStorage", "touchstone.desk", settings);
  showSettings();
});
showSettings();

// A digit marks, and submits after the beat. Until then it can be changed or stopped.
let pending = null;

function stop() {
  clearTimeout(pending);
  pending = null;
  for (const option of options) option.closest("label").classList.remove("going");
}

function choose(option) {
  stop();
  option.checked = true;
  option.focus({ preventScroll: true });
  option.closest("label").classList.add("going");
  pending = setTimeout(() => form.requestSubmit(), settings.beat);
}

function stopAndClear() {
  stop();
  for (const option of options) option.checked = false;
  said.textContent = "Not submitted.";
}

function takeBack() {
  if (pending !== null) return stopAndClear();
  const last = document.querySelector("#take-back");
  if (last) last.requestSubmit();
  else said.textContent = "There is nothing to take back.";
}

function writeComment() {
  comment.closest("details").open = true;
  comment.focus();
}

function open(name) {
  stop();
  const dialog = document.getElementById(name);
  if (dialog && !dialog.open) dialog.showModal();
}

for (const opener of document.querySelectorAll("[data-opens]")) {
  opener.hidden = false;
  opener.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a window of its own
    event.preventDefault();
    open(opener.dataset.opens);
  });
}
for (const closer of document.querySelectorAll("[data-closes]")) {
  closer.addEventListener("click", () => closer.closest("dialog").close());
}

const ACTS = {
  s: () => open("skip"),
  f: () => open("flag"),
  g: () => open("guidelines"),
  "?": () => open("keys"),
  c: writeComment,
  z: takeBack,
  Backspace: takeBack,
  Enter: () => form.requestSubmit(),
};
const OWN_ENTER = "a, button, summary";
const TYPING = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])";

function actOf(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === "Enter" && event.target.closest(OWN_ENTER)) return null;
  const option = options.find((each) => each.getAttribute("aria-keyshortcuts") === key);
  return option ? () => choose(option) : ACTS[key];
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const dialog = document.querySelector("dialog[open]");
  if (event.key === "Escape" && !dialog) {
    if (event.target === comment) comment.blur();
    else if (pending !== null) stopAndClear();
    return;
  }
  if (event.target.closest(TYPING) || !settings.keys) return;
  if (dialog) {
    const closes = { guidelines: "g", keys: "?" }[dialog.id];
    if (event.key === closes) dialog.close();
    return;
  }
  const act = actOf(event);
  if (!act) return;
  event.preventDefault();
  if (!event.repeat) act(); // a key that is held down judges one item, not many
});
