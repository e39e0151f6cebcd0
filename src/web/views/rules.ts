import { addressWith, titleWith } from './addresses.ts';
import { html } from './html.ts';
import { useTexts } from './language.ts';
import { listedRule, type ListedRule } from './listed-rule.ts';
import { BulkActions } from './parts/bulk-actions.ts';
import { RuleTable } from './parts/rule-table.ts';
import { VIEW_PATHS } from './paths.ts';
import { RULES_TEXTS } from './texts/rules.ts';
import type { VNode } from './preact.mjs';
import type { Address, BodyProps, View } from './view.ts';

const SHOWN = 100;
const STATES = ['on', 'paused', 'failing', 'broken', 'off'] as const;

interface RulesData {
  readonly items: readonly ListedRule[];
  readonly page: number;
  readonly pages: number;
  readonly found: number;
  readonly total: number;
}

interface Filters {
  readonly text?: string | undefined;
  readonly state?: (typeof STATES)[number] | undefined;
}

/** All rules, with filters. */
export const rules: View<RulesData> = {
  path: VIEW_PATHS.rules,
  title: ({ address }, language) => {
    const { state, text } = filtersIn(address);
    return titleWith(RULES_TEXTS[language].title, [state && RULES_TEXTS[language].states[state], text]);
  },
  refreshOn: ['rules', 'decision', 'delivery'],
  async load(client, address) {
    const query = { ...filtersIn(address), page: pageIn(address), limit: SHOWN };
    const { items, page = 1, pages = 1, found = items.length, total = items.length } = await client.call('listRules', query);
    return { items: items.map(listedRule), page, pages, found, total };
  },
  Body,
};

/** People edit addresses, so that any other value counts as no filter. */
function filtersIn({ query }: Address): Filters {
  const text = query['text']?.trim().slice(0, 200).toWellFormed();
  return { text: text === '' ? undefined : text, state: STATES.find((state) => state === query['state']) };
}

function pageIn({ query: { page = '' } }: Address): number {
  return /^[1-9]\d{0,6}$/u.test(page) ? Number(page) : 1;
}

function Body({ data: { items, ...numbers }, address, reader }: BodyProps<RulesData>): VNode {
  const t = useTexts(RULES_TEXTS);
  const filters = filtersIn(address);
  const isFiltered = filters.text !== undefined || filters.state !== undefined;
  return html`<div class="view wide">
    <h1>${t.title}</h1>
    <${FilterForm} filters=${filters} isFiltered=${isFiltered} />
    <section class="panel" aria-label=${t.title}>
      ${
        items.length === 0
          ? html`<p class="empty muted">${isFiltered ? t.noMatch : t.none}</p>`
          : html`${items.some(({ rule }) => rule.on) && html`<${BulkActions} reader=${reader} />`}
              <${RuleTable} items=${items} reader=${reader} />`
      }
    </section>
    <${Pager} filters=${filters} ...${numbers} />
    <p class="muted">${t.newRule} <code>npx fanfare new</code></p>
  </div>`;
}

function FilterForm({ filters: { text, state }, isFiltered }: { readonly filters: Filters; readonly isFiltered: boolean }): VNode {
  const t = useTexts(RULES_TEXTS);
  return html`<form class="filters" action=${VIEW_PATHS.rules} role="search">
    <label>${t.text} <input type="search" name="text" defaultValue=${text ?? ''} maxlength="200" /></label>
    <label>
      ${t.state}
      <select name="state">
        <option value="">${t.any}</option>
        ${STATES.map((name) => html`<option key=${name} value=${name} selected=${name === state}>${t.states[name]}</option>`)}
      </select>
    </label>
    <p class="submit"><button>${t.filter}</button> ${isFiltered && html`<a href=${VIEW_PATHS.rules}>${t.showAll}</a>`}</p>
  </form>`;
}

interface PagerProps extends Omit<RulesData, 'items'> {
  readonly filters: Filters;
}

function Pager({ filters, page, pages, found, total }: PagerProps): VNode {
  const t = useTexts(RULES_TEXTS);
  const to = (number: number) => addressWith(VIEW_PATHS.rules, { ...filters, page: number === 1 ? undefined : String(number) });
  return html`<nav class="pager" aria-label=${t.pages}>
    <span>
      ${page > 1 && html`<a href=${to(1)}>${t.first}</a>`}${' '} ${page > 1 && html`<a href=${to(page - 1)} rel="prev">${t.previous}</a>`}
    </span>
    <span class="muted">${pages > 1 ? `${t.page(page, pages)} · ` : ''}${t.found(found, total)}</span>
    <span>
      ${page < pages && html`<a href=${to(page + 1)} rel="next">${t.next}</a>`}${' '}
      ${page < pages && html`<a href=${to(pages)}>${t.last}</a>`}
    </span>
  </nav>`;
}
