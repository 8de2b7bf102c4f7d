// Search in the guidelines: every place is marked, Enter goes to the next one, Shift+Enter to the one before.
// A place may run across elements, as where a word of it is bold: then it has several marks.

const drawer = document.querySelector("#guidelines");
const field = drawer?.querySelector("#look-for");
const found = drawer?.querySelector("#found");
const text = drawer?.querySelector(".guideline");
const BLOCK = "p, li, h1, h2, h3, h4, h5, h6, th, td, pre, blockquote";
let places = []; // of each its marks
let at = -1;

function unmark() {
  for (const mark of places.flat()) mark.replaceWith(...mark.childNodes);
  text.normalize();
  places = [];
  at = -1;
}

// The texts of each block in a row: what stands in two of them is no place.
function runs() {
  const found = [];
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  let last;
  while (walker.nextNode()) {
    const block = walker.currentNode.parentElement.closest(BLOCK);
    if (block !== last) found.push([]);
    last = block;
    found.at(-1).push(walker.currentNode);
  }
  return found;
}

// The last place first, and in each the last text: what stands before stays as it was.
function markIn(nodes, wanted) {
  const matches = [...nodes.map((node) => node.data).join("").matchAll(wanted)];
  const begins = [];
  nodes.reduce((sum, node) => (begins.push(sum), sum + node.length), 0);
  const marked = matches.reverse().map((match) => {
    const [from, to] = [match.index, match.index + match[0].length];
    const marks = nodes.map((node, n) => mark(node, from - begins[n], to - begins[n]));
    return marks.filter(Boolean);
  });
  places.push(...marked.reverse());
}

// Marks what lies of this text between the two; null where nothing does. The text ends before the mark then.
function mark(node, from, to) {
  const [begin, end] = [Math.max(0, from), Math.min(node.length, to)];
  if (begin >= end) return null;
  const inside = node.splitText(begin);
  inside.splitText(end - begin);
  const mark = document.createElement("mark");
  inside.replaceWith(mark);
  mark.append(inside);
  return mark;
}

function search() {
  unmark();
  const looked = field.value.trim();
  if (looked) {
    const wanted = new RegExp(looked.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+"), "giu");
    for (const nodes of runs()) markIn(nodes, wanted);
  }
  if (places.length) goTo(0);
  else found.textContent = looked ? `“${looked}” is not in the guidelines.` : "";
}

function goTo(index) {
  const n = places.length;
  if (!n) return;
  at = (index + n) % n;
  for (const [place, marks] of places.entries()) {
    for (const each of marks) each.classList.toggle("at", place === at);
  }
  places[at][0].scrollIntoView({ block: "center" });
  found.textContent = n === 1 ? "1 place" : `Place ${at + 1} of ${n}`;
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
