// Keys of a precision audit: a digit chooses the label and saves it, c leads to the comment, z or Backspace to the
// last one, w switches between Markdown and the answer as it was written.
import { switchText } from "./as_written.js";
import { isOfPageBefore, send } from "./one_press.js";

const form = document.querySelector("#audited");

function isTyping(target) {
  return target instanceof HTMLElement && target.matches("input:not([type=radio]), textarea, select");
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || isTyping(event.target)) return;
  if (isOfPageBefore(event)) return;
  if (event.key === "z" || event.key === "Backspace") {
    document.querySelector("#last")?.click();
    return;
  }
  if (event.key === "w") {
    switchText();
    return;
  }
  if (!form) return;
  if (event.key === "c") {
    form.querySelector("input[name=comment]").focus();
    event.preventDefault();
    return;
  }
  // By its place where the layout has another sign there, as AZERTY has & for 1.
  const [, digit] = (!event.shiftKey && event.code.match(/^Digit(\d)$/)) || [null, event.key];
  const chosen = form.querySelector(`input[type=radio][aria-keyshortcuts="${CSS.escape(digit)}"]`);
  const isSaving = chosen || (event.key === "Enter" && form.querySelector("input[type=radio]:checked"));
  if (!isSaving || (event.key === "Enter" && event.target instanceof HTMLElement && event.target.closest("a, button, summary"))) return;
  event.preventDefault();
  if (chosen) chosen.checked = true;
  send(form);
});
