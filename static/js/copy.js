// A button that copies what a field holds. Without this script the field itself can be selected.
for (const button of document.querySelectorAll("button[data-copies]")) {
  const field = document.getElementById(button.dataset.copies);
  const said = button.parentElement.querySelector("[role=status]");
  field.addEventListener("focus", () => field.select());
  if (!navigator.clipboard) continue; // not over plain HTTP from another machine
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      said.textContent = "Copied.";
    } catch {
      field.focus();
      said.textContent = "Your browser does not allow it: press Ctrl-C.";
    }
  });
}
