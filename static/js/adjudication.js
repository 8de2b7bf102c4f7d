// Keys on an item's page: a digit chooses the label and leads to the reason; Enter there sends the form.
const form = document.querySelector("#adjudicate");

function isTyping(target) {
  return target instanceof HTMLElement && target.matches("input:not([type=radio]), textarea, select");
}

document.addEventListener("keydown", (event) => {
  if (!form || event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
  // By its place where the layout has another sign there, as AZERTY has & for 1.
  const [, digit] = (!event.shiftKey && event.code.match(/^Digit(\d)$/)) || [null, event.key];
  const options = form.querySelectorAll("input[type=radio]");
  const chosen = options[Number(digit) - 1];
  if (!chosen) return;
  event.preventDefault();
  chosen.checked = true;
  form.querySelector("input[name=reason]").focus();
});
