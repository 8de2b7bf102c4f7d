// What the tabs of this browser that show the same desk of the same person tell each other:
//   judged   an assignment that one of them judged: nobody shows it any more
//   back     an assignment whose judgement one of them took out of the outbox again
//   results  what the server said, each with its entry; `progress` is how far one is then, `batch` its batch

export class Tabs {
  #channel = null; // stays null where the browser has none

  constructor(user, address) {
    if (window.BroadcastChannel) this.#channel = new BroadcastChannel(`touchstone-desk:${user}:${address}`);
  }

  tell(message) {
    this.#channel?.postMessage(message);
  }

  listen({ onJudged, onBack, onResults }) {
    this.#channel?.addEventListener("message", ({ data }) => {
      if (data.judged) onJudged(data.judged);
      if (data.back) onBack(data.back);
      if (data.results) onResults(data);
    });
  }
}
