import type { DeliveryView } from '#src/admin/queries/records.ts';
import { html } from 'hono/html';
import { z } from 'zod';
import { omissionText } from '#src/clients/operation/part.ts';
import { badge, type Html, instant } from '../inline/elements.ts';
import { link } from '../inline/link.ts';
import { safeUrl } from '../inline/safe-url.ts';
import { STATES } from '../inline/tones.ts';
import { empty } from '../panel.ts';
import { actionButtons, deliveryTarget, instead } from './actions.ts';
import { markdown } from '../inline/markdown.ts';

/** The number of characters of an id that operators see. */
const NAME_LENGTH = 8;

/** A step with `forEach` is skipped itself, because each of its parts is a delivery. */
const DONE = { tone: 'good', title: 'Fanfare created one delivery for each part.' } as const;

/** The deliveries as rows, in the given order. */
export function deliveryRows(deliveries: readonly DeliveryView[], { canAct }: { readonly canAct: boolean }): Html {
  if (deliveries.length === 0) {
    return empty('No deliveries yet.', 'When a rule fires, each of its steps appears here with its result.');
  }
  return html`<ol class="deliveries">
    ${deliveries.map((delivery) => row(delivery, canAct))}
  </ol>`;
}

function row(delivery: DeliveryView, canAct: boolean): Html {
  const { id, rule, by, item, text, state, account, attempts, edits, message, reason, sentAt, createdAt, dueAt, omitted = [] } = delivery;
  const isDone = state === 'skipped' && reason?.kind === 'forEachDone';
  const facts = [
    item === undefined ? '' : html`<bdi class="item">${item.name}</bdi>`,
    by === undefined ? html`<bdi>${rule}</bdi>` : html`<span>posted by <bdi>${by}</bdi></span>`,
    attempts > 1 ? html`<span>${attempts} attempts</span>` : '',
    edits === undefined ? '' : html`<span>${edits} edits</span>`,
    dueAt ? html`<span>due ${instant(dueAt)}</span>` : html`<span>${instant(sentAt ?? createdAt)}</span>`,
    result(delivery),
  ];
  return html`<li class="delivery" data-key="${id}">
    ${isDone ? badge('done', DONE) : badge(state, STATES[state])}
    <div>
      <p class="what">
        <a href="/deliveries/${encodeURIComponent(id)}"><code>${delivery.do}</code> <span aria-label="by">→</span> <bdi>${account}</bdi></a>
      </p>
      <p class="meta">${facts}</p>
      ${text === undefined ? '' : html`<p class="quote" dir="auto">${delivery.do.startsWith('discord.') ? markdown(text) : text}</p>`}
      ${message ? html`<p class="${isDone ? 'meta' : 'error'}" dir="auto">${message}</p>` : ''}
      ${omitted.map((one) => html`<p class="meta" dir="auto">${omissionText(one)}</p>`)}
      ${state === 'unknown' ? remedy(delivery, canAct) : ''} ${canAct ? buttons(delivery) : ''}
    </div>
  </li>`;
}

/** The buttons that end a failed or an unknown delivery. */
function buttons({ id, state, item, rule, account }: DeliveryView): Html | string {
  if (state !== 'failed' && state !== 'unknown') return '';
  const target = deliveryTarget(id, `${item?.name ?? rule} on ${account}`);
  return actionButtons(target, state === 'failed' ? ['resend'] : ['sent', 'again']);
}

/** How an operator resolves an unknown delivery. */
function remedy({ id, account }: DeliveryView, canAct: boolean): Html {
  // The command accepts a prefix of the id, and would read a leading hyphen as an option.
  const name = id.replace(/^-+/u, '').slice(0, NAME_LENGTH);
  const commands = html`If it was sent: <code>fanfare resolve ${name} sent</code>. To send it again:
    <code>fanfare resolve ${name} again</code>. In Discord: <code>/resolve</code>.`;
  return html`<p class="remedy">Check <bdi>${account}</bdi>: is it there? ${instead(commands, canAct)}</p>`;
}

/** A result with a link. */
const Result = z.object({ url: z.string() });

function result({ result: answer, do: verb, rule, by = rule }: DeliveryView): Html | string {
  const url = safeUrl(Result.safeParse(answer).data?.url);
  return url === undefined ? '' : html`<span>${link(url, html`open<span class="unseen"> the result of ${verb} for ${by}</span>`)}</span>`;
}
