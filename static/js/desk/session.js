// A person's own measure of work: this session's time and pace, a goal for the day, and breaks. Kept in this
// browser for the person, and told to nobody.

import * as active from "./active.js";
import { user } from "./connection.js";
import { keep, kept } from "./kept.js";
import * as news from "./news.js";

const line = document.querySelector("#session");
const dialog = document.querySelector("#break");
const facts = document.querySelector("#session-facts");
const goal = document.querySelector("#goal");
const [SESSION, DAY] = ["touchstone.session", "touchstone.day"];
const LONG = 45 * 60; // active seconds after which a break is proposed
const LEAST_FOR_PACE = 3;

const session = { n: 0, seconds: 0, sinceBreak: 0, ...kept("sessionStorage", SESSION)[user] };
const own = { goal: 0, day: "", n: 0, ...kept("localStorage", DAY)[user] };

function today() {
  return new Date().toLocaleDateString("en-CA");
}

function save() {
  keep("sessionStorage", SESSION, { [user]: session });
  keep("localStorage", DAY, { ...kept("localStorage", DAY), [user]: own });
  show();
}

function minutes(seconds) {
  return `${Math.round(seconds / 60)} min`;
}

function show() {
  const nToday = own.day === today() ? own.n : 0;
  const pace = session.n >= LEAST_FOR_PACE ? `, about ${Math.max(1, Math.round(session.seconds / session.n))} s each` : "";
  const worked = `This session: ${session.n} in ${minutes(session.seconds)}${pace}`;
  const aim = own.goal ? ` · today ${nToday} of ${own.goal}${nToday >= own.goal ? ", goal reached" : ""}` : "";
  line.textContent = worked + aim;
  line.hidden = !session.n && !own.goal;
  facts.textContent = `${worked}. Today on this device: ${nToday}.`;
}

document.addEventListener("desk:judged", ({ detail }) => {
  if (own.day !== today()) Object.assign(own, { day: today(), n: 0 });
  own.n += 1;
  session.n += 1;
  session.seconds += detail.active_seconds;
  session.sinceBreak += detail.active_seconds;
  save();
  if (own.n === own.goal) news.remark(`You reached your goal of ${own.goal} for today.`);
  else if (session.sinceBreak >= LONG) {
    session.sinceBreak = 0;
    news.remark(`You have worked for ${minutes(LONG)} without a break. A pause of a few minutes helps.`);
  }
});
document.addEventListener("desk:undone", () => {
  session.n = Math.max(0, session.n - 1);
  own.n = Math.max(0, own.n - 1);
  save();
});

goal.value = own.goal || "";
goal.addEventListener("input", () => {
  own.goal = Math.max(0, Math.floor(Number(goal.value)) || 0);
  save();
});

// While the window is open no time is counted. keys.js opens it.
new MutationObserver(() => {
  active.hold(dialog.open);
  if (dialog.open) session.sinceBreak = 0;
  show();
}).observe(dialog, { attributeFilter: ["open"] });
show();
