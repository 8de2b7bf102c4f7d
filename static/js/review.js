// One more box above the list: it ticks every judgement of the page, or none.
const boxes = [...document.querySelectorAll("input[name=judgement]")];
const corner = document.querySelector(".work thead th");

if (boxes.length && corner) {
  const label = document.createElement("label");
  label.className = "tick";
  const all = document.createElement("input");
  all.type = "checkbox";
  all.setAttribute("aria-label", "All judgements of this page");
  label.append(all);
  corner.replaceChildren(label);
  const show = () => {
    const n = boxes.filter((box) => box.checked).length;
    all.checked = n === boxes.length;
    all.indeterminate = n > 0 && n < boxes.length;
  };
  all.addEventListener("change", () => boxes.forEach((box) => { box.checked = all.checked; }));
  boxes.forEach((box) => box.addEventListener("change", show));
  show();
}
