// Takes the outbox to the server and brings the next items: in order, one request at a time across all tabs
// of this browser, again with growing pauses until it is done.

import { Trouble } from "./feed.js";

const MOST_AT_ONCE = 100;
const FIRST_PAUSE = 1000; // milliseconds
const LONGEST_PAUSE = 30_000;

export class Delivery {
  #desk; // { address, outbox, feed }, and the page's functions once it has started
  #lock;
  #trouble = null;
  #pause = FIRST_PAUSE;
  #timer = null;
  #nextTry = null; // performance.now() of the end of a pause
  #isRunning = false;
  #isDueAgain = false;
  #oneByOne = false;
  #gone = new Set(); // addresses of other batches that take nothing any more
  #flushing = [];

  constructor({ user, ...desk }) {
    this.#desk = desk;
    this.#lock = `touchstone-outbox:${user}`;
  }

  // The first four say what each request asks for, the others are called with what comes of it.
  start(page) {
    Object.assign(this.#desk, page); // { wants, opens, ahead, isProgressDue, onAnswer, onRefused, onNotOpened, onChange }
    window.addEventListener("online", () => this.now());
    window.addEventListener("pagehide", () => this.#leave());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.now();
    });
  }

  get trouble() {
    return this.#trouble;
  }

  // Whether something waits for a desk that takes nothing from this person any more.
  get isStuck() {
    return this.#gone.size > 0;
  }

  // When a pause ends; null where there is none.
  get nextTry() {
    return this.#nextTry;
  }

  // There may be something to send or to fetch. In a pause it waits for the end of it.
  wake() {
    if (this.#timer === null) this.#run();
  }

  // Without waiting for the end of a pause.
  now() {
    this.#pause = FIRST_PAUSE;
    this.#goOn();
  }

  #goOn() {
    clearTimeout(this.#timer);
    this.#timer = this.#nextTry = null;
    this.#run();
  }

  // Sends all there is and hears from the server; whether that was so.
  flush() {
    return new Promise((resolve) => {
      this.#flushing.push(resolve);
      this.now();
    });
  }

  // A judgement that has not left this browser, out of the outbox again; null where it has, or is on its way.
  takeOut(clientId) {
    const out = () => this.#desk.outbox.takeOut(clientId);
    if (!navigator.locks) return this.#isRunning ? Promise.resolve(null) : out();
    return navigator.locks.request(this.#lock, { ifAvailable: true }, (lock) => (lock ? out() : null));
  }

  async #run() {
    if (this.#isRunning) {
      this.#isDueAgain = true;
      return;
    }
    this.#isRunning = true;
    try {
      do {
        this.#isDueAgain = false;
        await this.#alone(() => this.#request());
      } while (this.#isDueAgain);
    } catch (trouble) {
      if (!(trouble instanceof Trouble)) throw trouble;
      this.#wait(trouble);
    } finally {
      this.#isRunning = false;
    }
  }

  // Without locks two tabs may send the same thing at once: the server knows each by its client id.
  #alone(act) {
    return navigator.locks ? navigator.locks.request(this.#lock, act) : act();
  }

  async #request() {
    const { outbox, feed } = this.#desk;
    const all = await this.#unsent();
    const address = all[0]?.desk ?? this.#desk.address; // null: a page that is no desk has nothing to send
    const isHere = address === this.#desk.address;
    const most = this.#oneByOne ? 1 : MOST_AT_ONCE;
    const entries = all.filter((entry) => entry.desk === address).slice(0, most);
    const wanted = isHere ? this.#desk.wants() : 0;
    const opens = isHere && !entries.length && this.#desk.opens(); // alone: an error is about it and nothing else
    const asks = entries.length || wanted || opens || this.#flushing.length;
    if (!address || !asks) {
      await this.#settle();
      return this.#desk.onChange();
    }
    if (entries.length && navigator.onLine) await outbox.markTried(entries);
    const later = all.filter((entry) => entry.desk === address).slice(most);
    let answer;
    try {
      answer = await feed.send(address, {
        submissions: entries.map(toSend),
        ahead: isHere ? [...this.#desk.ahead(), ...later.map((entry) => entry.assignment)] : [],
        wanted,
        ...(opens && { opens }),
        progress: isHere && ((wanted > 0 && this.#desk.isProgressDue()) || this.#trouble !== null),
      });
    } catch (trouble) {
      return this.#failed(trouble, entries, address);
    }
    const answered = answers(answer.results, entries);
    if (answered.length < entries.length || (opens && !answer.opened)) throw new Trouble("unreachable");
    this.#oneByOne = false;
    this.#trouble = null;
    await outbox.remove(entries);
    await this.#desk.onAnswer({ answer, answered, isHere, wanted });
    await this.#settle();
  }

  // The page goes. The answer comes to nobody: the next page sends the same again, and the server knows it.
  #leave() {
    if (!navigator.onLine) return;
    const { outbox, feed } = this.#desk;
    const unsent = outbox.known().filter((entry) => !this.#gone.has(entry.desk));
    for (const address of new Set(unsent.map((entry) => entry.desk))) {
      const entries = unsent.filter((entry) => entry.desk === address).slice(0, MOST_AT_ONCE);
      while (entries.length && !feed.leave(address, { submissions: entries.map(toSend) })) entries.pop();
      outbox.markTried(entries);
    }
  }

  async #unsent() {
    const all = await this.#desk.outbox.entries();
    return all.filter((entry) => !this.#gone.has(entry.desk));
  }

  // What one entry is to blame for must not keep the others from going out.
  async #failed(trouble, entries, address) {
    if (trouble.kind === "not-understood") {
      if (!entries.length) this.#notOpened(trouble);
      else if (entries.length > 1) this.#oneByOne = true;
      else {
        await this.#desk.outbox.remove(entries);
        this.#desk.onRefused(entries[0], trouble.words);
      }
    } else if (trouble.kind === "gone" && address !== this.#desk.address) {
      this.#gone.add(address);
    } else {
      throw trouble;
    }
    this.#isDueAgain = true;
  }

  #notOpened(trouble) {
    if (!this.#desk.opens()) throw new Trouble("unreachable");
    this.#desk.onNotOpened(trouble.words);
  }

  // The server has answered. What is left goes on at once.
  async #settle() {
    this.#trouble = null;
    this.#pause = FIRST_PAUSE;
    if ((await this.#unsent()).length || this.#desk.opens()) this.#isDueAgain = true;
    else for (const resolve of this.#flushing.splice(0)) resolve(true);
  }

  #wait(trouble) {
    this.#trouble = trouble;
    for (const resolve of this.#flushing.splice(0)) resolve(false);
    if (trouble.kind !== "gone") {
      this.#timer = setTimeout(() => this.#goOn(), this.#pause);
      this.#nextTry = performance.now() + this.#pause;
      this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    }
    this.#desk.onChange();
  }
}

function toSend({ assignment, client_id, response, comment, shown_at, active_seconds }) {
  return { assignment, client_id, response, comment, shown_at, active_seconds };
}

// Each entry with its result.
function answers(results, entries) {
  const byId = new Map(results.map((result) => [result.client_id, result]));
  return entries
    .filter((entry) => byId.has(entry.client_id))
    .map((entry) => ({ entry, result: byId.get(entry.client_id) }));
}
