import { html } from 'hono/html';
import type { RulePage } from '#src/admin/queries/rule-page.ts';
import type { RulesVersion } from '#src/admin/queries/records.ts';
import { instant, type Html } from '../inline/elements.ts';
import { addressOf } from '../page-query.ts';
import { empty } from '../panel.ts';
import { ruleCards } from './rules.ts';

const NUMBER = new Intl.NumberFormat('en');

/** A page of the rules. If one page has all rules, it needs no search and no links to other pages. */
export function ruleList(rules: RulePage, { search, canAct }: { readonly search: string | undefined; readonly canAct: boolean }): Html {
  const { items, page, pages, total, version } = rules;
  if (search === undefined && pages === 1) return html`${versionLine(version)} ${ruleCards(items, { canAct })}`;
  return html`${versionLine(version)}
    <form class="search" action="/#rules" role="search" data-key="search">
      <input
        type="search"
        name="rule"
        value="${search ?? ''}"
        placeholder="Search ${NUMBER.format(total)} rules"
        aria-label="Search rules"
        maxlength="200"
      />
      <button>Search</button>
      ${search === undefined ? '' : html`<a href="${addressOf({ page: 1 })}">Show all</a>`}
    </form>
    ${items.length === 0 ? empty('No rules found.', 'The search looks at names, descriptions and files.') : ruleCards(items, { canAct })}
    ${pages === 1 ? '' : pager({ page, pages, search })}`;
}

/** The published version of the rules. Rules from a folder have none. */
function versionLine(version: RulesVersion | undefined): Html | string {
  if (!version) return '';
  const { number, publishedAt, by, note, repeats } = version;
  return html`<p class="meta" data-key="version">
    <span>Version ${number}, published ${instant(publishedAt)} by <bdi>${by}</bdi>${repeats ? ` (repeats version ${repeats})` : ''}</span>
    ${note ? html`<span dir="auto">${note}</span>` : ''}
  </p>`;
}

function pager({ page, pages, search }: Pick<RulePage, 'page' | 'pages'> & { readonly search: string | undefined }): Html {
  const link = (to: number, rel: string, label: string): Html =>
    to < 1 || to > pages
      ? html`<span class="muted" aria-hidden="true">${label}</span>`
      : html`<a href="${addressOf({ search, page: to })}" rel="${rel}">${label}</a>`;
  return html`<nav class="pager" aria-label="Pages of rules" data-key="pager">
    ${link(page - 1, 'prev', 'Previous')}
    <span class="muted">Page ${NUMBER.format(page)} of ${NUMBER.format(pages)}</span>
    ${link(page + 1, 'next', 'Next')}
  </nav>`;
}
