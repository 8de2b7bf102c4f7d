// Skip, flag and take back: forms that need the server, and everything that was judged before has to be there
// first. Meanwhile nothing is judged.

import { delivery } from "./connection.js";
import { remark, say } from "./news.js";
import { fill, hold } from "./next_item.js";
import * as screen from "./screen.js";

const IN_THE_WAY = {
  unreachable: "has to wait until the connection returns.",
  unable: "has to wait until the server can store again.",
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

for (const [id, what] of [["skip", "Skipping"], ["flag", "Sending this"]]) {
  const form = document.querySelector(`#${id} form`);
  const words = document.createElement("p");
  words.className = "missing";
  words.setAttribute("role", "status");
  form.querySelector(".actions").before(words);
  const tell = (text) => (words.textContent = text && `${text} What you wrote stays here.`);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, what, tell);
  });
}

// `assignment` is the one that is meant: its judgement may turn out not to be saved.
export function takeBackOnServer(assignment) {
  const form = document.querySelector("#take-back");
  const isSaved = () => document.querySelector("#desk").dataset.last === assignment;
  say("Taking back…", 600);
  send(form, "Taking back", remark, () => {
    if (!isSaved()) remark("It was not saved: there is nothing to take back.");
    return isSaved();
  });
}
