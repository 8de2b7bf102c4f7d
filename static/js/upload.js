/* Forms that send files: files can be dropped on their fields, and what is too large is said before it is sent. */
"use strict";

const form = document.querySelector("form[data-most]");
const problem = document.getElementById("upload-problem");
const said = document.getElementById("upload-said");
const inputs = [...form.querySelectorAll("input[type=file]")];
const names = form.elements.names; // of runs, one a line

const inWords = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
const stem = (name) => name.replace(/(.)\.[^.]*$/, "$1");

// Of files that were sent before; the server drops the names of those that are removed.
const keptStems = [...form.querySelectorAll("[name=runs-remove]")].map((box) => box.dataset.stem);

let suggested = keptStems.join("\n");
function suggestNames(files) {
  if (!names || names.value.trim() !== suggested) return; // somebody wrote there
  suggested = [...keptStems, ...files.map((file) => stem(file.name))].join("\n");
  names.value = suggested;
  names.rows = Math.min(Math.max(files.length, 3), 15);
}

function check() {
  const bytes = inputs.flatMap((input) => [...input.files]).reduce((sum, file) => sum + file.size, 0);
  const most = Number(form.getAttribute("data-most")); // form.dataset is the field of that name
  problem.hidden = bytes <= most;
  problem.textContent = problem.hidden
    ? ""
    : `These files have ${inWords(bytes)}; at most ${inWords(most)} can be sent at once. Nothing is sent.`;
  return problem.hidden;
}

for (const input of inputs) {
  const field = input.closest(".field");
  const chosen = document.createElement("ul");
  chosen.className = "chosen";
  const hint = document.createElement("p");
  hint.className = "hint";
  hint.textContent = input.multiple ? "Or drop the files here." : "Or drop the file here.";
  input.after(hint, chosen);
  field.classList.add("drop");

  input.addEventListener("change", () => {
    const files = [...input.files];
    chosen.replaceChildren(...files.map((file) => {
      const line = document.createElement("li");
      line.dir = "auto";
      line.textContent = `${file.name}, ${inWords(file.size)}`;
      return line;
    }));
    if (input.name === "runs") suggestNames(files);
    check();
  });
  field.addEventListener("dragover", (event) => {
    event.preventDefault();
    field.classList.add("over");
  });
  field.addEventListener("dragleave", () => field.classList.remove("over"));
  field.addEventListener("drop", (event) => {
    event.preventDefault();
    field.classList.remove("over");
    const dropped = [...event.dataTransfer.files];
    if (!dropped.length) return;
    const taken = new DataTransfer();
    for (const file of input.multiple ? dropped : dropped.slice(0, 1)) taken.items.add(file);
    input.files = taken.files;
    input.dispatchEvent(new Event("change"));
  });
}

// A file that misses its field must not be opened in place of the page.
for (const kind of ["dragover", "drop"]) window.addEventListener(kind, (event) => event.preventDefault());

form.addEventListener("submit", (event) => {
  if (!check()) return event.preventDefault();
  form.querySelector("button").disabled = true;
  said.textContent = "The files are being sent. Keep this page open.";
});
window.addEventListener("pageshow", () => { form.querySelector("button").disabled = false; });
