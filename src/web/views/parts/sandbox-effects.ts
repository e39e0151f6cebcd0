import type { Delivery } from '../../client/records.ts';
import { addressOfDelivery } from '../addresses.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { VIEW_PATHS } from '../paths.ts';
import type { VNode } from '../preact.mjs';
import { SANDBOX_TEXTS } from '../texts/sandbox.ts';
import { StateBadge } from './badge.ts';
import { TimeSince } from './time.ts';

/** The last deliveries: what Fanfare made of the changes of the world. */
export function SandboxEffects({ deliveries }: { readonly deliveries: readonly Delivery[] }): VNode {
  const t = useTexts(SANDBOX_TEXTS);
  return html`<section class="panel padded" aria-labelledby="effects">
    <h2 id="effects">${t.effects}</h2>
    ${deliveries.length === 0 && html`<p class="muted">${t.noEffects}</p>`}
    <ol class="history">
      ${deliveries.map(
        ({ id, do: verb, account, item, text, sentAt, createdAt, ...delivery }) =>
          html`<li key=${id}>
            <span class="when"><${TimeSince} at=${sentAt ?? createdAt} /></span>
            <${StateBadge} delivery=${delivery} />
            <p dir="auto">
              <a href=${addressOfDelivery(id)}><code>${verb}</code> → <bdi>${account}</bdi></a>
              ${item && html`<bdi> ${item.name}</bdi>`} ${text}
            </p>
          </li>`,
      )}
    </ol>
    <p><a href=${VIEW_PATHS.deliveries}>${t.allDeliveries}</a></p>
  </section>`;
}
