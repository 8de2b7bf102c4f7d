// The last decisions, each one click back.

import { takeBackOnServer } from "./aside.js";
import { isTraining } from "./expected.js";

const form = document.querySelector("#history");
const list = form.querySelector("ol");
const sample = form.querySelector("template");
const MOST = 10;

// One that the server has now.
export function add({ assignment, said, text, question }) {
  remove(assignment);
  const line = sample.content.firstElementChild.cloneNode(true);
  const button = line.querySelector("button");
  line.dataset.assignment = assignment;
  line.querySelector("strong").textContent = said;
  line.querySelector(".of").textContent = text || question;
  button.disabled = isTraining;
  button.setAttribute("formaction", button.getAttribute("formaction").replace(form.dataset.sample, assignment));
  list.prepend(line);
  while (list.children.length > MOST) list.lastElementChild.remove();
  form.hidden = false;
}

function remove(assignment) {
  for (const line of document.querySelectorAll(`[data-assignment="${assignment}"]`)) line.remove();
  const undone = document.querySelector("#undone");
  if (undone) undone.hidden = !undone.querySelector("li");
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  takeBackOnServer(event.submitter.closest("li").dataset.assignment, true);
});
document.addEventListener("desk:judged", ({ detail }) => remove(detail.assignment));
