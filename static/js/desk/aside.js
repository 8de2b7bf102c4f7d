// Skip, flag and take back: forms that need the server, and everything that was judged before has to be there
// first. Meanwhile nothing is judged.

import { address as leadTo } from "./address.js";
import { delivery } from "./connection.js";
import { remark, say } from "./news.js";
import { fill, hold } from "./next_item.js";
import * as screen from "./screen.js";

const IN_THE_WAY = {
  unreachable: "has to wait until you are online.",
  unable: "has to wait until the server can save again.",
  "signed-out": "has to wait until you are signed in.",
  gone: "is not possible here any more.",
};
const LONGEST_WAY = 5000; // milliseconds; then the page is still there, and can be used

async function send(form, what, tell, isDue = () => true) {
  if (form.dataset.isGoing) return;
  form.dataset.isGoing = "yes";
  hold(true);
  tell("");
  const trouble = (await delivery.flush()) ? null : delivery.trouble;
  if (!trouble && isDue()) {
    form.submit();
    setTimeout(() => letGo(form), LONGEST_WAY);
    return;
  }
  letGo(form);
  if (trouble) tell(`${what} ${IN_THE_WAY[trouble.kind]}`);
}

function letGo(form) {
  delete form.dataset.isGoing;
  hold(false);
  if (!screen.shown) fill(false);
}

// What is said of a form that is not filled in.
function missing(form) {
  const { choice, reason } = form.elements;
  return reason && !choice?.value && !reason.value.trim() ? form.dataset.missing : "";
}

for (const [id, what] of [["skip", "Skipping"], ["flag", "Sending this"]]) {
  const form = document.querySelector(`#${id} form`);
  if (!form) continue; // in training nothing is skipped
  const words = document.createElement("p");
  words.className = "missing";
  words.setAttribute("role", "status");
  form.querySelector(".actions").before(words);
  const tell = (text) => (words.textContent = text && `${text} What you wrote stays here.`);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (missing(form)) words.textContent = missing(form);
    else send(form, what, tell);
  });
}

// `assignment` is the one that is meant: its judgement may turn out not to be saved. `isSaved` where it is known to be.
export function takeBackOnServer(assignment, isSaved = false) {
  const form = document.querySelector("#take-back");
  const wasSaved = () => isSaved || document.querySelector("#desk").dataset.last === assignment;
  say("Undoing…", 600);
  send(form, "Undoing", remark, () => {
    if (!wasSaved()) {
      remark("It was not saved: there is nothing to undo.");
      return false;
    }
    leadTo(form, assignment);
    document.dispatchEvent(new CustomEvent("desk:undone", { detail: assignment }));
    return true;
  });
}
