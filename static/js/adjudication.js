// Keys on an item's page. A digit chooses the label and leads to the reason, where Enter sends the form;
// where a kept reason stands there already, the digit settles at once. n: note, u: guideline unclear,
// z: take back what was settled last.
const form = document.querySelector("#adjudicate");
const undo = document.querySelector("#undo");

function isTyping(target) {
  return target instanceof HTMLElement && target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
}

function choose(number) {
  const chosen = form?.querySelectorAll("input[type=radio]")[number - 1];
  if (!chosen) return false;
  chosen.checked = true;
  const reason = form.querySelector("input[name=reason]");
  if (reason.value.trim() && form.querySelector("input[name=keep]")?.checked) form.requestSubmit();
  else reason.focus();
  return true;
}

function open(id) {
  const part = document.querySelector(id);
  if (!part) return false;
  part.open = true;
  part.querySelector("form:last-of-type :is(input:not([type=hidden]), select)").focus();
  return true;
}

function take() {
  undo?.requestSubmit();
  return Boolean(undo);
}

const acts = { n: () => open("#note"), u: () => open("#unclear"), z: take };

document.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
  // By its place where the layout has another sign there, as AZERTY has & for 1.
  const [, digit] = (!event.shiftKey && event.code.match(/^Digit(\d)$/)) || [null, event.key];
  const act = acts[event.key];
  if (/^\d$/.test(digit) ? choose(Number(digit)) : act && act()) event.preventDefault();
});
