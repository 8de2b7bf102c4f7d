// The desk's one data request. Whatever goes wrong is a Trouble, by kind:
//   unreachable     no connection, or no answer that is one: try again
//   unable          the server is there and cannot do it now; its words say why: try again
//   signed-out      nobody is signed in, or somebody else is (`user`)
//   gone            there is no desk here for this person any more
//   not-understood  the server cannot read what was sent; its words say what

const LONGEST_WAIT = 20_000; // milliseconds
const LARGEST_LEAVING = 60_000; // bytes; browsers take 64 KiB in all

export class Trouble extends Error {
  constructor(kind, { words = "", user = "" } = {}) {
    super(words || kind);
    Object.assign(this, { kind, words, user });
  }
}

async function ask(address, options) {
  let response;
  let said = null; // JSON
  let heading = ""; // of a page
  try {
    const signal = AbortSignal.timeout(LONGEST_WAIT);
    response = await fetch(address, { ...options, signal, redirect: "manual", cache: "no-store" });
    const kind = response.headers.get("Content-Type") ?? "";
    if (kind.includes("json")) said = await response.json();
    else if (kind.includes("html")) heading = headingOf(await response.text());
  } catch {
    throw new Trouble("unreachable");
  }
  return { status: response.type === "opaqueredirect" ? 401 : response.status, said, heading };
}

// What a page says first.
function headingOf(page) {
  const heading = new DOMParser().parseFromString(page, "text/html").querySelector("h1");
  return heading?.textContent.trim() ?? "";
}

// Who stands between says these of a server that it does not reach.
const OF_THE_WAY = [502, 504];

export class Feed {
  #user;
  #token;

  constructor(user, token) {
    this.#user = encodeURIComponent(user);
    this.#token = token;
  }

  get token() {
    return this.#token;
  }

  // A form that has expired gets a fresh token, once.
  async send(address, request) {
    const sent = await this.#post(address, request);
    if (sent.status !== 403) return this.#read(sent);
    this.#read(await ask(address, { headers: { "X-Desk-User": this.#user } }));
    return this.#read(await this.#post(address, request));
  }

  // Sends what outlives the page; whether it is small enough for that.
  leave(address, request) {
    const body = JSON.stringify(request);
    if (new Blob([body]).size > LARGEST_LEAVING) return false;
    const options = { method: "POST", headers: this.#headers(), body, redirect: "manual", keepalive: true };
    fetch(address, options).catch(() => {}); // what did not arrive is still in the outbox
    return true;
  }

  #post(address, request) {
    return ask(address, { method: "POST", headers: this.#headers(), body: JSON.stringify(request) });
  }

  #headers() {
    return {
      "Content-Type": "application/json",
      "X-CSRFToken": this.#token,
      "X-Desk-User": this.#user,
    };
  }

  #read({ status, said, heading }) {
    if (status === 200 && said) {
      this.#token = said.csrf;
      return said;
    }
    if (status === 401) throw new Trouble("signed-out", { user: said?.user });
    if ([403, 404, 409].includes(status)) throw new Trouble("gone");
    if (status === 400 && said) throw new Trouble("not-understood", { words: said.error });
    const words = said?.error || heading;
    if (status >= 500 && !OF_THE_WAY.includes(status) && words) throw new Trouble("unable", { words });
    throw new Trouble("unreachable");
  }
}
