import type { DeliveryState, DeliveryView } from '#src/queries/records.ts';
import { html } from 'hono/html';
import { z } from 'zod';
import { omissionText } from '#src/operation/part.ts';
import { badge, type Tone } from '../inline/badge.ts';
import type { Html } from '../inline/html.ts';
import { instant } from '../inline/instant.ts';
import { link, safeUrl } from '../inline/link.ts';
import { empty } from '../panel.ts';

const STATES: Readonly<Record<DeliveryState, { readonly tone: Tone; readonly title: string }>> = {
  pending: { tone: 'busy', title: 'It waits for its turn.' },
  sending: { tone: 'busy', title: 'It is under way.' },
  asked: { tone: 'busy', title: 'It is there and waits for the answer of a person.' },
  sent: { tone: 'good', title: 'The platform confirmed it.' },
  failed: { tone: 'bad', title: 'The platform refused it, or it took too long.' },
  unknown: { tone: 'doubt', title: 'It was sent and nobody knows what became of it: look there, and decide.' },
  skipped: { tone: 'calm', title: 'There was nothing to send.' },
};

/** So much of its id names a delivery to somebody. */
const NAME_LENGTH = 8;

/** A step with a list is skipped itself, and its parts are done in its place. */
const DONE = { tone: 'good', title: 'Its parts were handed over for delivery.' } as const;

/** The deliveries as rows, in the order in which they come. */
export function deliveryRows(deliveries: readonly DeliveryView[]): Html {
  if (deliveries.length === 0) {
    return empty('Nothing was delivered yet.', 'When a rule fires, each of its steps appears here with what became of it.');
  }
  return html`<ol class="deliveries">
    ${deliveries.map(row)}
  </ol>`;
}

function row(delivery: DeliveryView): Html {
  const { id, rule, by, state, account, attempts, edits, error, reason, sentAt, createdAt, dueAt, omitted = [] } = delivery;
  const isDone = state === 'skipped' && reason?.kind === 'each';
  const facts = [
    by === undefined ? html`<bdi>${rule}</bdi>` : html`<span>posted by <bdi>${by}</bdi></span>`,
    attempts > 1 ? html`<span>${attempts} attempts</span>` : '',
    edits === undefined ? '' : html`<span>${edits} edits</span>`,
    dueAt ? html`<span>goes out ${instant(dueAt)}</span>` : html`<span>${instant(sentAt ?? createdAt)}</span>`,
    result(delivery),
  ];
  return html`<li class="delivery" data-key="${id}">
    ${isDone ? badge('done', DONE) : badge(state, STATES[state])}
    <div>
      <p class="what"><code>${delivery.do}</code> <span aria-label="by">→</span> <bdi>${account}</bdi></p>
      <p class="meta">${facts}</p>
      ${error ? html`<p class="${isDone ? 'meta' : 'error'}" dir="auto">${error}</p>` : ''}
      ${omitted.map((one) => html`<p class="meta" dir="auto">${omissionText(one)}</p>`)} ${state === 'unknown' ? remedy(delivery) : ''}
    </div>
  </li>`;
}

/** How somebody says what became of one that nobody knows the end of. */
function remedy({ id, account }: DeliveryView): Html {
  // The command takes the beginning of an id, and would take a hyphen for an option.
  const name = id.replace(/^-+/u, '').slice(0, NAME_LENGTH);
  return html`<p class="remedy">
    Look for it on <bdi>${account}</bdi>. It is there: <code>fanfare resolve ${name} sent</code>. It is not, send it again:
    <code>fanfare resolve ${name} again</code>. In Discord: <code>/resolve</code>.
  </p>`;
}

/** Where what was made can be seen. */
const Result = z.object({ url: z.string() });

function result({ result: answer, do: verb, rule, by = rule }: DeliveryView): Html | string {
  const url = safeUrl(Result.safeParse(answer).data?.url);
  return url === undefined ? '' : html`<span>${link(url, html`open<span class="unseen"> what ${verb} made for ${by}</span>`)}</span>`;
}
