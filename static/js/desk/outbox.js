// Judgements that the server has not answered for yet, in their order, kept in this browser's IndexedDB. Each
// carries the name of its author: one browser may have several, and nobody sends or sees another's.
//
// Where the browser keeps nothing, or stops to do so, they stand in the memory of this page (`isKept` is
// false), and the page warns before it is left.

const NAME = "touchstone";
const STORE = "outbox";
const LONGEST_OPENING = 3000; // milliseconds; some browsers never answer at all

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = request.onblocked = () => reject(request.error);
  });
}

async function opened() {
  const request = window.indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(STORE, { keyPath: "n", autoIncrement: true });
  };
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error("the browser's storage does not answer")), LONGEST_OPENING);
  });
  return Promise.race([done(request), late]);
}

function changed(database, make, durability = "relaxed") {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, "readwrite", { durability });
    transaction.oncomplete = resolve;
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
    make(transaction.objectStore(STORE));
  });
}

export class Outbox {
  #database = null;
  #user;
  #entries = []; // as last seen: all there is once the browser keeps nothing
  #adding = []; // not yet kept
  #last; // whatever is done is done in turn

  constructor(user) {
    this.#user = user;
    this.#last = opened().then(
      (database) => {
        this.#database = database;
        // Another version of the page may change the store, and the browser may forget it.
        database.onversionchange = () => database.close();
      },
      () => {}, // private mode, or forbidden: memory it is
    );
  }

  get isKept() {
    return this.#database !== null;
  }

  // Whether something would be lost with the page.
  get isAtRisk() {
    return this.#adding.length > 0 || (!this.isKept && this.#entries.length > 0);
  }

  add(entry) {
    const made = { ...entry, user: this.#user };
    this.#adding.push(made);
    const add = (database) => changed(database, (store) => store.add(made), "strict");
    return this.#inTurn(add, () => {
      this.#adding = this.#adding.filter((each) => each !== made);
      this.#entries.push(made);
    });
  }

  // All of this person's, of every batch, in their order.
  async entries() {
    await this.#inTurn(async (database) => {
      const all = await done(database.transaction(STORE).objectStore(STORE).getAll());
      this.#entries = all.filter((entry) => entry.user === this.#user);
    });
    return this.known();
  }

  // The same as far as this page knows, at once.
  known() {
    return [...this.#entries, ...this.#adding];
  }

  // They may be on the server from now on, whatever becomes of the answer.
  async markTried(entries) {
    const fresh = entries.filter((entry) => !entry.isTried);
    for (const entry of fresh) entry.isTried = true;
    if (!fresh.length) return;
    await this.#inTurn((database) =>
      changed(database, (store) => {
        for (const entry of fresh) if (entry.n !== undefined) store.put(entry);
      }),
    );
  }

  remove(entries) {
    const gone = new Set(entries.map((entry) => entry.client_id));
    const remove = (database) =>
      changed(database, (store) => {
        for (const entry of entries) if (entry.n !== undefined) store.delete(entry.n);
      });
    return this.#inTurn(remove, () => {
      this.#entries = this.#entries.filter((entry) => !gone.has(entry.client_id));
    });
  }

  // The entry, out of the outbox again; null where it has left this browser, or may have.
  async takeOut(clientId) {
    const found = (await this.entries()).find((entry) => entry.client_id === clientId);
    if (!found || found.isTried) return null;
    await this.remove([found]);
    return found;
  }

  // What fails ends the keeping, and what is to be sent stands in memory.
  #inTurn(act, after = () => {}) {
    this.#last = this.#last.then(async () => {
      try {
        if (this.#database) await act(this.#database);
      } catch {
        this.#database = null;
      }
      after();
    });
    return this.#last;
  }
}
