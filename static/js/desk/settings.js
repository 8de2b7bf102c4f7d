// How keys behave, kept in this browser.

import { keep, kept } from "./kept.js";

export const settings = { beat: 150, keys: true, tap: false, ...kept("localStorage", "touchstone.desk") };
const beat = document.querySelector("#beat");
const keysOn = document.querySelector("#keys-on");
const tap = document.querySelector("#tap");

function show() {
  beat.value = settings.beat;
  document.querySelector("#beat-said").textContent = beat.value;
  keysOn.checked = settings.keys;
  tap.checked = settings.tap;
  document.body.classList.toggle("keys-off", !settings.keys);
  document.body.classList.toggle("tap-submits", settings.tap);
}

document.querySelector("#settings").addEventListener("input", () => {
  settings.beat = Number(beat.value);
  settings.keys = keysOn.checked;
  settings.tap = tap.checked;
  keep("localStorage", "touchstone.desk", settings);
  show();
});
show();
