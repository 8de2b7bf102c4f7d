// Keys on an item's page: a digit chooses the label and leads to the reason; Enter there sends the form.
const form = document.querySelector("#adjudicate");

function isTyping(target) {
  return target instanceof HTMLElement && target.matches("input:not([type=radio]), textarea, select");
}

document.addEventListener("keydown", (event) => {
  if (!form || event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
  const options = form.querySelectorAll("input[type=radio]");
  const chosen = options[Number(event.key) - 1];
  if (!chosen) return;
  event.preventDefault();
  chosen.checked = true;
  form.querySelector("input[name=reason]").focus();
});
