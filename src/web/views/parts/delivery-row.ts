import type { Delivery } from '../../client/records.ts';
import { addressOfDelivery, addressOfItem, addressOfRule } from '../addresses.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { useReasons } from '../reasons.ts';
import { DELIVERIES_TEXTS } from '../texts/deliveries.ts';
import type { Reader } from '../view.ts';
import { StateBadge } from './badge.ts';
import { DeliveryActions } from './delivery-actions.ts';
import { MessageText } from './message-text.ts';
import { PlatformLink } from './platform-link.ts';
import { TimeSince } from './time.ts';

/** A delivery in a list. */
export function DeliveryRow({ delivery, reader }: { readonly delivery: Delivery; readonly reader: Reader }): VNode {
  const t = useTexts(DELIVERIES_TEXTS);
  const { id, do: verb, account, channel, rule, by, item, text, attempts, result, dueAt, sentAt, createdAt } = delivery;
  const url = typeof result?.['url'] === 'string' ? result['url'] : undefined;
  return html`<li>
    <${StateBadge} delivery=${delivery} />
    <div>
      <p>
        <a class="what" href=${addressOfDelivery(id)}
          ><code>${verb}</code> → <bdi>${account}</bdi>${channel !== undefined && html` <bdi>#${channel}</bdi>`}</a
        >
      </p>
      ${text !== undefined && html`<p class="quote" dir="auto">${text}</p>`}
      <${MessageText} class="muted" message=${useReasons().delivered(delivery)} />
      <p class="meta">
        ${item && html`<a href=${addressOfItem(item.key)}><bdi>${item.name}</bdi></a>`}
        ${by === undefined ? html`<a href=${addressOfRule(rule)}><bdi>${rule}</bdi></a>` : html`<span>${t.postedBy} <bdi>${by}</bdi></span>`}
        ${attempts > 1 && html`<span>${t.attempts(attempts)}</span>`}
        <span>${dueAt === undefined ? '' : `${t.due} `}<${TimeSince} at=${dueAt ?? sentAt ?? createdAt} /></span>
        ${url !== undefined && html`<${PlatformLink} url=${url} text=${t.open} of=${t.onPlatform(`${verb}: ${item?.name ?? rule}`)} />`}
      </p>
      <${DeliveryActions} delivery=${delivery} reader=${reader} />
    </div>
  </li>`;
}
