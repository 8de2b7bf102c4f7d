// How keys behave, kept in this browser.

import { keep, kept } from "./kept.js";

export const settings = { beat: 150, keys: true, ...kept("localStorage", "touchstone.desk") };
const beat = document.querySelector("#beat");
const keysOn = document.querySelector("#keys-on");

function show() {
  beat.value = settings.beat;
  document.querySelector("#beat-said").textContent = beat.value;
  keysOn.checked = settings.keys;
  document.body.classList.toggle("keys-off", !settings.keys);
}

document.querySelector("#settings").addEventListener("input", () => {
  settings.beat = Number(beat.value);
  settings.keys = keysOn.checked;
  keep("localStorage", "touchstone.desk", settings);
  show();
});
show();
