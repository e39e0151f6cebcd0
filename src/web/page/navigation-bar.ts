import { html } from 'hono/html';
import type { Html } from './inline/elements.ts';

const LINKS = [
  { path: '/', title: 'Overview' },
  { path: '/deliveries', title: 'Deliveries' },
  { path: '/why', title: 'Why' },
] as const;

/** The links that all pages share. `path`: the path of this page. */
export function navigationBar(path: string): Html {
  return html`<nav class="navigation" aria-label="Pages">
    ${LINKS.map((link) => html`<a href="${link.path}" ${link.path === path ? html`aria-current="page"` : ''}>${link.title}</a>`)}
  </nav>`;
}

/** The search for the history of a name. */
export function whyForm(): Html {
  return html`<form class="search ask" action="/why" role="search">
    <input
      type="search"
      name="q"
      placeholder="Why was … not announced?"
      aria-label="Why was this streamer not announced?"
      maxlength="200"
      required
    />
    <button>Search</button>
  </form>`;
}

/** What buttons of actions need: a place for their results, a question before a risky one, and the form of a planned pause. */
export function actionResults(): Html {
  return html`<p class="outcome" id="outcome" role="alert"></p>
    <dialog id="confirm" aria-labelledby="confirm-text">
      <form method="dialog">
        <p id="confirm-text"></p>
        <p class="actions"><button value="yes" autofocus>Yes</button><button>Cancel</button></p>
      </form>
    </dialog>
    <dialog id="plan" aria-labelledby="plan-title">
      <form method="dialog">
        <h2 id="plan-title">Plan a pause</h2>
        <p>
          <label>From <input type="datetime-local" name="from" required /></label>
        </p>
        <p>
          <label>Until <input type="datetime-local" name="until" /></label>
        </p>
        <p class="hint">The times are in the zone of your browser. Without an end, a person has to resume the rule.</p>
        <p class="actions"><button value="yes">Plan</button><button formnovalidate>Cancel</button></p>
      </form>
    </dialog>`;
}
