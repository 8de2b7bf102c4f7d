// What joins this page to the server and to the other tabs of this browser. Each is made here once;
// main.js starts them and says what they call.

import { Delivery } from "./delivery.js";
import { Feed } from "./feed.js";
import { Outbox } from "./outbox.js";
import { Tabs } from "./tabs.js";

const form = document.querySelector("#judgement");

export const { user, feed: address } = document.querySelector("#desk").dataset;
export const outbox = new Outbox(user);
export const delivery = new Delivery({ user, address, outbox, feed: new Feed(user, form.elements.csrfmiddlewaretoken.value) });
export const tabs = new Tabs(user, address);
