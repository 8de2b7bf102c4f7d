// Where a batch shows Markdown, each answer has a switch to its text as it was written: all of them at once.
const switches = () => [...document.querySelectorAll("details.source")];

// What is shown now, in words; "" where there is nothing to switch.
export function switchText() {
  const all = switches();
  const isOpening = all.some((each) => !each.open);
  for (const each of all) each.open = isOpening;
  if (!all.length) return "";
  return isOpening ? "Answers as they were written." : "Answers as Markdown.";
}
