import type { VNode } from './preact.mjs';
import type { ApiClient } from '../client/client.ts';
import type { Decision, Delivery, ItemExplanation } from '../client/records.ts';
import { addressOfItem } from './addresses.ts';
import { html } from './html.ts';
import { historyOf } from './item-history.ts';
import { listedDelivery } from './listed-delivery.ts';
import { RuleHistory } from './parts/rule-history.ts';
import { TimeSince } from './parts/time.ts';
import { VIEW_PATHS } from './paths.ts';
import type { Address, BodyProps, View } from './view.ts';

/** The number of episodes and of decisions of a rule. */
const SHOWN = 50;
const DELIVERIES_SHOWN = 100;
/** A person has one key on each platform. More keys are of different people with the same name. */
const MOST_KEYS = 6;
const RECENT = 10;
const OTHERS_SHOWN = 30;

interface WhyData {
  /** What is known about the searched name; absent without a name. */
  readonly found?: ItemExplanation | undefined;
  readonly deliveries: readonly Delivery[];
  /** The last suppressed announcements, as long as no name is searched. */
  readonly recent: readonly Decision[];
}

/** Answers why somebody or something was or was not announced. */
export const why: View<WhyData> = {
  path: VIEW_PATHS.why,
  title: (address) => (nameIn(address) === '' ? 'Why was it not announced?' : `Why: ${nameIn(address)}`),
  refreshOn: ['decision', 'delivery', 'rules'],
  Body,
  async load(client, address) {
    const name = nameIn(address);
    if (name === '') {
      const { items } = await client.call('listDecisions', { outcome: 'suppressed', limit: RECENT });
      return { deliveries: [], recent: items };
    }
    const found = await client.call('explainItem', { item: name, limit: SHOWN });
    return { found, deliveries: await deliveriesOf(found.keys, client), recent: [] };
  },
};

function nameIn({ query: { q = '' } }: Address): string {
  return q.trim().slice(0, 200);
}

async function deliveriesOf(keys: readonly string[], client: ApiClient): Promise<readonly Delivery[]> {
  const lists = await Promise.all(keys.slice(0, MOST_KEYS).map((item) => client.call('listDeliveries', { item, limit: DELIVERIES_SHOWN })));
  return lists.flatMap(({ items }) => items.map(listedDelivery));
}

function Body({ data: { found, deliveries, recent }, address }: BodyProps<WhyData>): VNode {
  return html`<div class="view">
    <h1>Why was it announced, or not?</h1>
    <form class="search why-search" action=${VIEW_PATHS.why} role="search">
      <input
        type="search"
        name="q"
        defaultValue=${nameIn(address)}
        aria-label="Streamer, post or clip"
        placeholder="Name of a streamer, post or clip"
        maxlength="200"
        required
      />
      <button>Search</button>
    </form>
    ${found ? html`<${Found} found=${found} deliveries=${deliveries} />` : html`<${Recent} decisions=${recent} />`}
  </div>`;
}

function Found({
  found: { name, rules, gone, others },
  deliveries,
}: {
  readonly found: ItemExplanation;
  readonly deliveries: readonly Delivery[];
}): VNode {
  const isKnown = rules.length + gone.length > 0;
  return html`<div>
    ${!isKnown && html`<${Unknown} name=${name} />`}
    ${rules.map((rule) => html`<${RuleHistory} key=${rule.id} name=${name} rule=${rule} entries=${historyOf(rule, deliveries)} />`)}
    ${gone.map((rule) => html`<${RuleHistory} key=${`gone ${rule.id}`} name=${name} gone=${rule} entries=${historyOf(rule, deliveries)} />`)}
    ${others.length > 0 && html`<${Others} name=${name} others=${others} isOpen=${!isKnown} />`}
  </div>`;
}

function Unknown({ name }: { readonly name: string }): VNode {
  return html`<section class="panel padded">
    <h2>No rule has seen <bdi>${name}</bdi></h2>
    <p>
      No rule names this streamer or item, and no rule has stored anything about it. Check the spelling: handles, display names and keys are
      found.
    </p>
    <p>
      To announce a streamer, write a rule with <code>when: ${'{ watch: streaming.getStreams, with: { users: [name] } }'}</code>, or run
      <code>fanfare new --kind live --channels name</code>.
    </p>
  </section>`;
}

function Others({
  name,
  others,
  isOpen,
}: {
  readonly name: string;
  readonly others: ItemExplanation['others'];
  readonly isOpen: boolean;
}): VNode {
  return html`<details class="panel padded" open=${isOpen}>
    <summary>${others.length} ${others.length === 1 ? 'rule watches a list' : 'rules watch lists'} without <bdi>${name}</bdi></summary>
    <ul class="plain">
      ${others
        .slice(0, OTHERS_SHOWN)
        .map(
          ({ id, verb, on, isPaused }) =>
            html`<li key=${id}><bdi>${id}</bdi> <code>${verb}</code>${on ? '' : ' (off)'}${isPaused ? ' (paused)' : ''}</li>`,
        )}
    </ul>
    ${others.length > OTHERS_SHOWN && html`<p class="muted">And ${others.length - OTHERS_SHOWN} more.</p>`}
  </details>`;
}

function Recent({ decisions }: { readonly decisions: readonly Decision[] }): VNode {
  return html`<section class="panel padded">
    <h2>Last suppressed announcements</h2>
    ${
      decisions.length === 0 &&
      html`<p class="muted">No rule has suppressed an announcement yet. Search for a name to see what the rules know about it.</p>`
    }
    <ul class="plain">
      ${decisions.map(
        (decision) =>
          html`<li key=${`${decision.rule} ${decision.at} ${decision.item ?? ''}`}>
            <p dir="auto"><${ItemLink} decision=${decision} />${decision.message}</p>
            <p class="meta"><bdi>${decision.rule}</bdi><${TimeSince} at=${decision.at} /></p>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** A link to the history of the item of a decision; nothing for a decision about a whole poll. */
function ItemLink({ decision: { item, reason } }: { readonly decision: Decision }): VNode | undefined {
  if (item === undefined) return undefined;
  const name = typeof reason?.['name'] === 'string' ? reason['name'] : item;
  return html`<span
    ><a href=${addressOfItem(item)}><bdi>${name}</bdi></a
    >:${' '}</span
  >`;
}
