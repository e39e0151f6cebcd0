import type { Action } from '../client/records.ts';
import type { Tone } from '../page/inline/tones.ts';
import { addressWith, titleWith } from './addresses.ts';
import { html } from './html.ts';
import { type Language, useTexts } from './language.ts';
import { Badge } from './parts/badge.ts';
import { Instant } from './parts/time.ts';
import { VIEW_PATHS } from './paths.ts';
import type { VNode } from './preact.mjs';
import { shortenedText } from './shortened-text.ts';
import { ACTION_TEXTS } from '#src/admin/language/actions.ts';
import { ACTION_OUTCOME_TEXTS, AUDIT_TEXTS, type LoggedAction } from './texts/audit.ts';
import type { Address, BodyProps, View } from './view.ts';

const SHOWN = 50;
/** The longest shown text of the changed values. */
const MOST_CHARACTERS = 300;

interface AuditData {
  readonly items: readonly ShownAction[];
  readonly cursor?: string | undefined;
}

interface ShownAction extends Pick<Action, 'id' | 'at' | 'action' | 'by' | 'target' | 'outcome'> {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

interface Filters {
  readonly action?: LoggedAction | undefined;
  readonly target?: string | undefined;
}

/** The log of what people did. */
export const audit: View<AuditData> = {
  path: VIEW_PATHS.audit,
  title: ({ address }, language) => {
    const { action, target } = filtersIn(address, language);
    const names: Readonly<Partial<Record<string, string>>> = ACTION_TEXTS[language];
    return titleWith(AUDIT_TEXTS[language].title, [action && names[action], target]);
  },
  refreshOn: ['actions'],
  async load(client, address, language) {
    const { items, cursor } = await client.call('listActions', {
      ...filtersIn(address, language),
      cursor: textIn(address, 'cursor', 2000),
      limit: SHOWN,
    });
    const shown = items.map(({ id, at, action, by, target, outcome, before, after }) => {
      return { id, at, action, by, target, outcome, before: valuesText(before), after: valuesText(after) };
    });
    return { items: shown, cursor };
  },
  Body,
};

/** People edit addresses, so that any other value counts as no filter. */
function filtersIn(address: Address, language: Language): Filters {
  return {
    action: (Object.keys(ACTION_TEXTS[language]) as LoggedAction[]).find((action) => action === address.query['action']), // the keys of a record are its names
    target: textIn(address, 'target', 200),
  };
}

function textIn({ query }: Address, name: string, most: number): string | undefined {
  const text = query[name]?.trim().slice(0, most);
  return text === '' ? undefined : text;
}

function valuesText(values: Action['before']): string | undefined {
  return values && shortenedText(JSON.stringify(values), MOST_CHARACTERS);
}

function Body({ data: { items, cursor }, address, reader }: BodyProps<AuditData>): VNode {
  const t = useTexts(AUDIT_TEXTS);
  const filters = filtersIn(address, reader.language);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return html`<div class="view">
    <p><a href=${VIEW_PATHS.settings}>${t.settings}</a></p>
    <h1>${t.title}</h1>
    <p class="muted">${t.about}</p>
    <${FilterForm} filters=${filters} isFiltered=${isFiltered} />
    <section class="panel" aria-label=${t.title}>
      ${items.length === 0 && html`<p class="empty muted">${isFiltered ? t.noMatch : t.none}</p>`}
      <ol class="rows">
        ${items.map((one) => html`<${Row} key=${one.id} action=${one} />`)}
      </ol>
    </section>
    <nav class="pager" aria-label=${t.pages}>
      ${address.query['cursor'] === undefined ? html`<span></span>` : html`<a href=${addressWith(VIEW_PATHS.audit, { ...filters })}>${t.newest}</a>`}
      ${cursor === undefined ? html`<span></span>` : html`<a href=${addressWith(VIEW_PATHS.audit, { ...filters, cursor })} rel="next">${t.older}</a>`}
    </nav>
  </div>`;
}

function FilterForm({ filters: { action, target }, isFiltered }: { readonly filters: Filters; readonly isFiltered: boolean }): VNode {
  const t = useTexts(AUDIT_TEXTS);
  const names = Object.entries(useTexts(ACTION_TEXTS));
  return html`<form class="filters" action=${VIEW_PATHS.audit} role="search">
    <label>
      ${t.action}
      <select name="action">
        <option value="">${t.any}</option>
        ${names.map(([name, text]) => html`<option key=${name} value=${name} selected=${name === action}>${text}</option>`)}
      </select>
    </label>
    <label
      >${t.target} <input type="search" name="target" defaultValue=${target ?? ''} placeholder=${t.targetHint} maxlength="200"
    /></label>
    <p class="submit"><button>${t.filter}</button> ${isFiltered && html`<a href=${VIEW_PATHS.audit}>${t.showAll}</a>`}</p>
  </form>`;
}

const TONES: Readonly<Record<Action['outcome'], Tone>> = {
  done: 'good',
  unchanged: 'calm',
  refused: 'doubt',
  failed: 'bad',
  started: 'doubt',
};

function Row({ action: { at, action, by, target, outcome, before, after } }: { readonly action: ShownAction }): VNode {
  const t = useTexts(AUDIT_TEXTS);
  const names: Readonly<Record<string, string>> = useTexts(ACTION_TEXTS);
  return html`<li>
    <div class="rule-head">
      <p>
        ${names[action] ?? action}: <a href=${addressWith(VIEW_PATHS.audit, { target })}><bdi>${target}</bdi></a>
      </p>
      <${Badge} tone=${TONES[outcome]} ...${useTexts(ACTION_OUTCOME_TEXTS)[outcome]} />
    </div>
    <p class="meta">
      <span><bdi>${by.name}</bdi> ${t.via[by.via]}</span>${by.origin !== undefined && html`<span><bdi>${by.origin}</bdi></span>`}<${Instant}
        at=${at}
      />
    </p>
    ${before !== undefined && html`<p class="muted">${t.before}: <code dir="auto" lang="en">${before}</code></p>`}
    ${after !== undefined && html`<p class="muted">${t.after}: <code dir="auto" lang="en">${after}</code></p>`}
  </li>`;
}
