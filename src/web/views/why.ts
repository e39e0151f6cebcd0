import type { VNode } from './preact.mjs';
import type { ApiClient } from '../client/client.ts';
import type { Decision, Delivery, ItemExplanation } from '../client/records.ts';
import { addressOfItem } from './addresses.ts';
import { html } from './html.ts';
import { useLanguage, useTexts } from './language.ts';
import { historyOf } from './item-history.ts';
import { listedDelivery } from './listed-delivery.ts';
import { DecisionText } from './parts/decision-text.ts';
import { RuleHistory } from './parts/rule-history.ts';
import { TimeSince } from './parts/time.ts';
import { VIEW_PATHS } from './paths.ts';
import { WHY_TEXTS } from './texts/why.ts';
import type { Address, BodyProps, View } from './view.ts';

/** The number of episodes and of decisions of a rule. */
const SHOWN = 50;
const DELIVERIES_SHOWN = 100;
/** A person has one key on each platform. More keys are of different people with the same name. */
const MOST_KEYS = 6;
const RECENT = 10;
const OTHERS_SHOWN = 30;
/** The keys of entries of feeds can be as long. */
const LONGEST_NAME = 500;

interface WhyData {
  /** What is known about the searched name, with some of the other rules; absent without a name. */
  readonly found?: ItemExplanation | undefined;
  readonly otherCount: number;
  readonly deliveries: readonly Delivery[];
  /** The last suppressed announcements, as long as no name is searched. */
  readonly recent: readonly Decision[];
}

/** Answers why somebody or something was or was not announced. */
export const why: View<WhyData> = {
  path: VIEW_PATHS.why,
  title: ({ data, address }, language) => WHY_TEXTS[language].titleOf(nameOf(data, address)),
  refreshOn: ['decision', 'delivery', 'rules'],
  Body,
  async load(client, address) {
    const name = nameIn(address);
    if (name === '') {
      const { items } = await client.call('listDecisions', { outcome: 'suppressed', limit: RECENT });
      return { deliveries: [], recent: items, otherCount: 0 };
    }
    const found = await client.call('explainItem', { item: name, limit: SHOWN });
    // With many rules, all the others would be most of the document.
    const shown = { ...found, others: found.others.slice(0, OTHERS_SHOWN) };
    return { found: shown, otherCount: found.others.length, deliveries: await deliveriesOf(found.keys, client), recent: [] };
  },
};

function nameIn({ query: { q = '' } }: Address): string {
  return q.trim().slice(0, LONGEST_NAME);
}

/** The name that is searched. The links of items search for a key, which is shown as the newest name that is stored with it. */
function nameOf({ found, deliveries }: WhyData, address: Address): string {
  const searched = nameIn(address);
  if (!found?.keys.includes(searched)) return searched;
  const rules = [...found.rules, ...found.gone];
  const episode = rules.flatMap(({ episodes }) => episodes).find(({ key }) => key === searched);
  const names = [
    deliveries.find(({ item }) => item?.key === searched)?.item?.name,
    episode?.name,
    ...rules.flatMap(({ decisions }) => decisions.map(({ item, reason }) => (item === searched ? reason?.['name'] : undefined))),
  ];
  return names.find((name) => typeof name === 'string') ?? searched;
}

async function deliveriesOf(keys: readonly string[], client: ApiClient): Promise<readonly Delivery[]> {
  const lists = await Promise.all(keys.slice(0, MOST_KEYS).map((item) => client.call('listDeliveries', { item, limit: DELIVERIES_SHOWN })));
  return lists.flatMap(({ items }) => items.map(listedDelivery));
}

function Body({ data, address }: BodyProps<WhyData>): VNode {
  const t = useTexts(WHY_TEXTS);
  const { found, otherCount, deliveries, recent } = data;
  const name = nameOf(data, address);
  return html`<div class="view">
    <h1 dir="auto">${t.titleOf(name)}</h1>
    <form class="search why-search" action=${VIEW_PATHS.why} role="search">
      <input
        type="search"
        name="q"
        defaultValue=${nameIn(address)}
        aria-label=${t.field}
        placeholder=${t.field}
        maxlength=${LONGEST_NAME}
        required
      />
      <button>${t.search}</button>
    </form>
    ${found ? html`<${Found} found=${found} name=${name} otherCount=${otherCount} deliveries=${deliveries} />` : html`<${Recent} decisions=${recent} />`}
  </div>`;
}

function Found({
  found: { rules, gone, others },
  name,
  otherCount,
  deliveries,
}: {
  readonly found: ItemExplanation;
  readonly name: string;
  readonly otherCount: number;
  readonly deliveries: readonly Delivery[];
}): VNode {
  const language = useLanguage();
  const isKnown = rules.length + gone.length > 0;
  return html`<div>
    ${!isKnown && html`<${Unknown} name=${name} />`}
    ${rules.map((rule) => html`<${RuleHistory} key=${rule.id} name=${name} rule=${rule} entries=${historyOf(rule, deliveries, language)} />`)}
    ${gone.map((rule) => html`<${RuleHistory} key=${`gone ${rule.id}`} name=${name} gone=${rule} entries=${historyOf(rule, deliveries, language)} />`)}
    ${others.length > 0 && html`<${Others} name=${name} others=${others} count=${otherCount} isOpen=${!isKnown} />`}
  </div>`;
}

function Unknown({ name }: { readonly name: string }): VNode {
  const t = useTexts(WHY_TEXTS);
  return html`<section class="panel padded">
    <h2>${t.noRule} <bdi>${name}</bdi></h2>
    <p>${t.unknown}</p>
    <p>
      ${t.toAnnounce} <code>when: ${'{ watch: streaming.getStreams, with: { users: [name] } }'}</code>${t.orRun}${' '}
      <code>npx fanfare new --kind live --channels name</code>.
    </p>
  </section>`;
}

interface OthersProps {
  readonly name: string;
  readonly others: ItemExplanation['others'];
  /** With those that are not shown. */
  readonly count: number;
  readonly isOpen: boolean;
}

function Others({ name, others, count, isOpen }: OthersProps): VNode {
  const t = useTexts(WHY_TEXTS);
  return html`<details class="panel padded" open=${isOpen}>
    <summary>${t.others(count)} <bdi>${name}</bdi></summary>
    <ul class="plain">
      ${others.map(
        ({ id, verb, on, isPaused }) =>
          html`<li key=${id}><bdi>${id}</bdi> <code>${verb}</code>${on ? '' : t.off}${isPaused ? t.paused : ''}</li>`,
      )}
    </ul>
    ${count > others.length && html`<p class="muted">${t.more(count - others.length)}</p>`}
  </details>`;
}

function Recent({ decisions }: { readonly decisions: readonly Decision[] }): VNode {
  const t = useTexts(WHY_TEXTS);
  return html`<section class="panel padded">
    <h2>${t.recent}</h2>
    ${decisions.length === 0 && html`<p class="muted">${t.noneRecent}</p>`}
    <ul class="plain">
      ${decisions.map(
        (decision) =>
          html`<li key=${`${decision.rule} ${decision.at} ${decision.item ?? ''}`}>
            <p dir="auto"><${ItemLink} decision=${decision} /><${DecisionText} ...${decision} /></p>
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
