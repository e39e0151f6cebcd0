import type { Delivery } from '../client/records.ts';
import { STATE_TONES } from '../page/inline/tones.ts';
import { addressWith, titleWith } from './addresses.ts';
import { html } from './html.ts';
import { useTexts } from './language.ts';
import { listedDelivery } from './listed-delivery.ts';
import { DeliveryRow } from './parts/delivery-row.ts';
import { VIEW_PATHS } from './paths.ts';
import { DELIVERIES_TEXTS } from './texts/deliveries.ts';
import { STATE_TEXTS } from './texts/states.ts';
import type { VNode } from './preact.mjs';
import type { Address, BodyProps, View } from './view.ts';

const SHOWN = 50;

interface DeliveriesData {
  readonly items: readonly Delivery[];
  readonly cursor?: string | undefined;
}

interface Filters {
  readonly text?: string | undefined;
  readonly state?: Delivery['state'] | undefined;
  readonly rule?: string | undefined;
  readonly account?: string | undefined;
  readonly item?: string | undefined;
}

/** All deliveries, with filters. */
export const deliveries: View<DeliveriesData> = {
  path: VIEW_PATHS.deliveries,
  title: ({ address }, language) => {
    const { state, ...texts } = filtersIn(address);
    return titleWith(DELIVERIES_TEXTS[language].title, [state && STATE_TEXTS[language][state].word, ...Object.values(texts)]);
  },
  refreshOn: ['delivery'],
  async load(client, address) {
    const query = { ...filtersIn(address), cursor: textIn(address, 'cursor', 2000), limit: SHOWN };
    const { items, cursor } = await client.call('listDeliveries', query);
    return { items: items.map(listedDelivery), cursor };
  },
  Body,
};

/** People edit addresses, so that any other value counts as no filter. */
function filtersIn(address: Address): Filters {
  const text = textIn(address, 'text');
  return {
    // The API refuses a search without a word.
    text: text !== undefined && /[\p{L}\p{N}]/u.test(text) ? text : undefined,
    state: (Object.keys(STATE_TONES) as Delivery['state'][]).find((state) => state === address.query['state']), // the keys of a record are its names
    rule: textIn(address, 'rule'),
    account: textIn(address, 'account'),
    item: textIn(address, 'item', 500),
  };
}

function textIn({ query }: Address, name: string, most = 200): string | undefined {
  const text = query[name]?.trim().slice(0, most);
  return text === '' ? undefined : text;
}

function Body({ data: { items, cursor }, address, reader }: BodyProps<DeliveriesData>): VNode {
  const t = useTexts(DELIVERIES_TEXTS);
  const filters = filtersIn(address);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const isFirst = textIn(address, 'cursor') === undefined;
  return html`<div class="view">
    <h1>${t.title}</h1>
    <${FilterForm} filters=${filters} isFiltered=${isFiltered} />
    <section class="panel" aria-label=${t.title}>
      ${items.length === 0 && html`<p class="empty muted">${cursor === undefined ? (isFiltered ? t.noMatch : t.none) : t.noneHere}</p>`}
      <ol class="delivery-list">
        ${items.map((delivery) => html`<${DeliveryRow} key=${delivery.id} delivery=${delivery} reader=${reader} />`)}
      </ol>
    </section>
    <nav class="pager" aria-label=${t.pages}>
      ${isFirst ? html`<span></span>` : html`<a href=${addressWith(VIEW_PATHS.deliveries, { ...filters })}>${t.newest}</a>`}
      <span class="exports">
        ${t.export} <a href=${addressWith('/api/deliveries/export', { ...filters })} download>CSV</a> ·${' '}
        <a href=${addressWith('/api/deliveries/export', { ...filters, format: 'json' })} download>JSON</a>
      </span>
      ${cursor === undefined ? html`<span></span>` : html`<a href=${addressWith(VIEW_PATHS.deliveries, { ...filters, cursor })} rel="next">${t.older}</a>`}
    </nav>
  </div>`;
}

function FilterForm({ filters, isFiltered }: { readonly filters: Filters; readonly isFiltered: boolean }): VNode {
  const t = useTexts(DELIVERIES_TEXTS);
  const { text, state, rule, account, item } = filters;
  return html`<form class="filters" action=${VIEW_PATHS.deliveries} role="search">
    <label>${t.text} <input type="search" name="text" defaultValue=${text ?? ''} maxlength="200" /></label>
    <label>
      ${t.state}
      <select name="state">
        <option value="">${t.any}</option>
        ${Object.entries(useTexts(STATE_TEXTS)).map(([name, { word }]) => html`<option key=${name} value=${name} selected=${name === state}>${word}</option>`)}
      </select>
    </label>
    <label>${t.rule} <input name="rule" defaultValue=${rule ?? ''} maxlength="200" /></label>
    <label>${t.account} <input name="account" defaultValue=${account ?? ''} maxlength="200" /></label>
    ${item !== undefined && html`<input type="hidden" name="item" value=${item} />`}
    <p class="submit"><button>${t.filter}</button> ${isFiltered && html`<a href=${VIEW_PATHS.deliveries}>${t.showAll}</a>`}</p>
  </form>`;
}
