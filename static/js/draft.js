// The form of a draft: shows what the chosen scheme needs, and reads a guideline from a file. Without it everything
// is shown, under headings.
const form = document.getElementById("draft");
const { scheme, pool, guideline } = form.elements;
const newest = JSON.parse(document.getElementById("draft").dataset.newest);
const LARGEST = 1_000_000; // bytes of a guideline
let proposed = newest[scheme.value];

function showWhatIsNeeded() {
  for (const each of form.querySelectorAll("[data-schemes]")) {
    const isNeeded = each.dataset.schemes.split(" ").includes(scheme.value);
    each.hidden = !isNeeded;
    if (each.tagName === "DETAILS") each.open = isNeeded;
  }
}

// A pool that the scheme does not ask about is not offered.
function offerPools() {
  const words = form.querySelector(`details[data-schemes="${CSS.escape(scheme.value)}"]`);
  if (!words) return;
  const options = [...pool.options];
  for (const each of options) {
    each.disabled = each.dataset.purpose !== words.dataset.purpose;
    each.hidden = each.disabled;
  }
  if (pool.selectedOptions[0]?.disabled) pool.value = options.find((each) => !each.disabled)?.value ?? "";
}

// A guideline that nobody has changed gives way to that of the scheme.
function proposeGuideline() {
  if (guideline.value === proposed) guideline.value = newest[scheme.value];
  proposed = newest[scheme.value];
}

async function readFile({ target }) {
  const problem = document.getElementById("guideline-file-problem");
  const [file] = target.files;
  target.value = "";
  if (!file) return;
  problem.hidden = true;
  try {
    if (file.size > LARGEST) throw new RangeError("it is larger than 1 MB");
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    if (text.includes("\0")) throw new RangeError("it is not a text");
    guideline.value = text;
    guideline.focus();
  } catch (error) {
    const why = error instanceof RangeError ? error.message : "it is not a text in UTF-8";
    problem.textContent = `${file.name} was not read: ${why}. Save it as plain text or Markdown.`;
    problem.hidden = false;
  }
}

scheme.addEventListener("change", () => {
  showWhatIsNeeded();
  offerPools();
  proposeGuideline();
});
const file = document.getElementById("guideline-file");
file.hidden = false;
file.addEventListener("change", readFile);
showWhatIsNeeded();
offerPools();
