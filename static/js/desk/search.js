// Search in the guidelines: every place is marked, Enter goes to the next one, Shift+Enter to the one before.

const drawer = document.querySelector("#guidelines");
const field = drawer?.querySelector("#look-for");
const found = drawer?.querySelector("#found");
const text = drawer?.querySelector(".guideline");
let at = -1;

function unmark() {
  for (const mark of text.querySelectorAll("mark")) mark.replaceWith(mark.textContent);
  text.normalize();
  at = -1;
}

function markIn(node, wanted) {
  const places = [...node.data.matchAll(wanted)].reverse();
  for (const place of places) {
    const rest = node.splitText(place.index);
    rest.splitText(place[0].length);
    const mark = document.createElement("mark");
    rest.replaceWith(mark);
    mark.append(rest);
  }
}

function search() {
  unmark();
  const looked = field.value.trim();
  if (looked) {
    const wanted = new RegExp(looked.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+"), "giu");
    const nodes = [];
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) nodes.push(walker.currentNode);
    for (const node of nodes) markIn(node, wanted);
  }
  const n = text.querySelectorAll("mark").length;
  if (n) goTo(0);
  else found.textContent = looked ? `“${looked}” is not in the guidelines.` : "";
}

function goTo(index) {
  const marks = [...text.querySelectorAll("mark")];
  if (!marks.length) return;
  at = (index + marks.length) % marks.length;
  for (const mark of marks) mark.classList.toggle("at", mark === marks[at]);
  marks[at].scrollIntoView({ block: "center" });
  found.textContent = marks.length === 1 ? "1 place" : `Place ${at + 1} of ${marks.length}`;
}

if (field) {
  field.closest("[hidden]").hidden = false;
  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    goTo(event.shiftKey ? at - 1 : at + 1);
  });
}
