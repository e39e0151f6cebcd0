import type { DeliveryDetails } from '../client/records.ts';
import { STATES } from '../page/inline/tones.ts';
import { addressOfItem, addressOfRule } from './addresses.ts';
import { html } from './html.ts';
import { Badge } from './parts/badge.ts';
import { DeliveryActions } from './parts/delivery-actions.ts';
import { PlatformLink } from './parts/platform-link.ts';
import { Instant } from './parts/time.ts';
import { VIEW_PATHS } from './paths.ts';
import type { VNode } from './preact.mjs';
import type { BodyProps, View } from './view.ts';

/** One delivery: what was sent, its attempts, and the buttons for a failed or an unknown one. */
export const delivery: View<DeliveryDetails> = {
  path: VIEW_PATHS.delivery,
  title: ({ parameters }) => `Delivery ${parameters['delivery'] ?? ''}`,
  refreshOn: ['delivery'],
  load: (client, { parameters }) => client.call('getDelivery', { delivery: parameters['delivery'] ?? '' }),
  Body,
};

function Body({ data, reader }: BodyProps<DeliveryDetails>): VNode {
  const { do: verb, account, state, texts = [], omitted = [], result } = data;
  const url = typeof result?.['url'] === 'string' ? result['url'] : undefined;
  return html`<div class="view">
    <p><a href=${VIEW_PATHS.deliveries}>Deliveries</a></p>
    <div class="rule-head">
      <h1><code>${verb}</code> → <bdi>${account}</bdi></h1>
      <${Badge} word=${state} ...${STATES[state]} />
    </div>
    <${Decision} data=${data} />
    <${DeliveryActions} delivery=${data} reader=${reader} />
    <section class="panel padded" aria-labelledby="sent">
      <h2 id="sent">Content</h2>
      ${texts.length === 0 && html`<p class="muted">${data.attempts === 0 ? 'It is rendered at the first attempt.' : 'It has no text.'}</p>`}
      <dl class="facts">
        ${texts.map(({ parameter, text }) => html`<${Fact} key=${parameter} name=${html`<code>${parameter}</code>`} text=${html`<span class="text" dir="auto">${text}</span>`} />`)}
        ${omitted.map(({ parameter, message }) => html`<${Fact} key=${`omitted ${parameter}`} name=${html`<code>${parameter}</code>`} text=${`not sent: ${message}`} />`)}
      </dl>
      ${url !== undefined && html`<p><${PlatformLink} url=${url} text="Open it on the platform" of=${account} /></p>`}
    </section>
    <${Attempts} data=${data} />
    <${Origin} data=${data} />
  </div>`;
}

/** The facts for the decision about an unknown or a failed delivery. */
function Decision({ data: { state, message, account, lostAt } }: { readonly data: DeliveryDetails }): VNode | undefined {
  if (state === 'unknown')
    return html`<section class="obstacle" aria-label="What is known">
      <p>
        <strong>Check <bdi>${account}</bdi>: is it there?</strong> If it is, press “It was sent”. Otherwise, press “Send again”.
      </p>
      ${lostAt !== undefined && html`<p>An attempt ended without an answer: <${Instant} at=${lostAt} />.</p>`}
      ${message !== undefined && html`<p dir="auto">${message}</p>`}
    </section>`;
  if (message === undefined) return undefined;
  return html`<p class=${state === 'failed' ? 'obstacle' : 'muted'} dir="auto">${message}</p>`;
}

function Attempts({ data }: { readonly data: DeliveryDetails }): VNode {
  const { attempts, createdAt, dueAt, firstAttemptAt, lastAttemptAt, nextAttemptAt, sentAt, settledAt, fault, message, resends } = data;
  const instants = [
    ['Decided', createdAt],
    ['Due', dueAt],
    ['First attempt', firstAttemptAt],
    ['Last attempt', attempts > 1 ? lastAttemptAt : undefined],
    ['Next attempt', nextAttemptAt],
    ['Confirmed by the platform', sentAt],
    ['Settled', sentAt === undefined ? settledAt : undefined],
  ] as const;
  return html`<section class="panel padded" aria-labelledby="attempts">
    <h2 id="attempts">${attempts === 1 ? '1 attempt' : `${attempts} attempts`}</h2>
    <dl class="facts">
      ${instants.map(([name, at]) => at !== undefined && html`<${Fact} key=${name} name=${name} text=${html`<${Instant} at=${at} />`} />`)}
      ${fault !== undefined && html`<${Fact} name="Last answer" text=${html`<span dir="auto"><code>${fault}</code> ${message}</span>`} />`}
      ${resends.map(({ by, at, failure }) => html`<${Fact} key=${at} name="Sent again" text=${html`<span dir="auto"><${Instant} at=${at} /> by <bdi>${by}</bdi>${failure === undefined ? '' : `, after: ${failure}`}</span>`} />`)}
    </dl>
  </section>`;
}

function Origin({ data: { id, rule, by, item, episode, step, textVersion } }: { readonly data: DeliveryDetails }): VNode {
  return html`<section class="panel padded" aria-labelledby="origin">
    <h2 id="origin">Origin</h2>
    <dl class="facts">
      ${by === undefined ? html`<${Fact} name="Rule" text=${html`<a href=${addressOfRule(rule)}><bdi>${rule}</bdi></a>`} />` : html`<${Fact} name="Posted by" text=${by} />`}
      ${
        item &&
        html`<${Fact}
          name="Item"
          text=${html`<span
            ><a href=${addressOfItem(item.key)}><bdi>${item.name}</bdi></a> (why?)</span
          >`}
        />`
      }
      <${Fact} name="Step" text=${step} />
      <${Fact} name="Episode" text=${html`<code>${episode}</code>`} />
      ${textVersion !== undefined && html`<${Fact} name="Version of the rule file" text=${html`<code>${textVersion}</code>`} />`}
      <${Fact} name="Id" text=${html`<code>${id}</code>`} />
    </dl>
  </section>`;
}

function Fact({ name, text }: { readonly name: unknown; readonly text: unknown }): VNode {
  return html`<div>
    <dt>${name}</dt>
    <dd>${text}</dd>
  </div>`;
}
