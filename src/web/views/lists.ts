import type { ListSummary } from '../client/records.ts';
import { addressOfList, firstIn } from './addresses.ts';
import { html } from './html.ts';
import { useTexts } from './language.ts';
import { ActionForm } from './parts/action-form.ts';
import { NO_ADDRESS } from './parts/add-people.ts';
import { KindBadge, Readers } from './parts/list-facts.ts';
import { VIEW_PATHS } from './paths.ts';
import type { VNode } from './preact.mjs';
import { LISTS_TEXTS } from './texts/lists.ts';
import type { BodyProps, View } from './view.ts';

const SHOWN = 50;
const RULES_SHOWN = 5;

/** A list with the name of its server, without the details of its file. */
interface ShownList extends Pick<ListSummary, 'list' | 'server' | 'kind' | 'file' | 'entries' | 'rules' | 'ruleCount'> {
  readonly serverName?: string | undefined;
  readonly errors: number;
}

interface ListsData {
  readonly items: readonly ShownList[];
  readonly count: number;
}

/** The lists of people and things, with the rules that read them. */
export const lists: View<ListsData> = {
  path: VIEW_PATHS.lists,
  title: (_, language) => LISTS_TEXTS[language].title,
  refreshOn: ['rules', 'lists'],
  async load(client, address) {
    const [{ items }, servers] = await Promise.all([client.call('listLists', {}), client.call('listServers', {})]);
    const names = new Map(servers.items.map(({ id, name }) => [id, name]));
    const from = firstIn(address.query);
    const shown = items
      .slice(from, from + SHOWN)
      .map(({ list, server, kind, file, entries, rules = [], ruleCount, diagnostics }): ShownList => ({
        list,
        server,
        kind,
        file,
        entries,
        rules: rules.slice(0, RULES_SHOWN),
        ruleCount,
        serverName: server === undefined ? undefined : names.get(server),
        errors: diagnostics.filter(({ severity }) => severity === 'error').length,
      }));
    return { items: shown, count: items.length };
  },
  Body,
};

function Body({ data: { items, count }, address, reader }: BodyProps<ListsData>): VNode {
  const t = useTexts(LISTS_TEXTS);
  const from = firstIn(address.query);
  return html`<div class="view">
    <h1>${t.title}</h1>
    <p class="muted">${t.about}</p>
    <section class="panel" aria-label=${t.title}>
      ${count === 0 && html`<p class="empty muted">${t.none}</p>`}
      <ul class="rows">
        ${items.map((one) => html`<${Row} key=${`${one.kind} ${one.list} ${one.server ?? ''}`} list=${one} />`)}
      </ul>
    </section>
    ${
      count > SHOWN &&
      html`<nav class="pager" aria-label=${t.pages}>
        ${from > 0 ? html`<a href=${VIEW_PATHS.lists}>${t.first}</a>` : html`<span></span>`}
        ${from + SHOWN < count ? html`<a href=${`${VIEW_PATHS.lists}?from=${from + SHOWN}`} rel="next">${t.next}</a>` : html`<span></span>`}
      </nav>`
    }
    ${reader.canAct && html`<${NewList} />`}
  </div>`;
}

function Row({ list: { list, server, serverName, kind, file, entries, rules, ruleCount, errors } }: { readonly list: ShownList }): VNode {
  const t = useTexts(LISTS_TEXTS);
  return html`<li>
    <div class="rule-head">
      <p>
        <a class="what" href=${addressOfList(list, server)}><bdi>${list}</bdi></a>
      </p>
      <${KindBadge} kind=${kind} />
    </div>
    <p class="meta">
      <span>${t.entries(entries)}</span>
      ${file !== undefined && html`<span><code>${file}</code></span>`}
      ${server !== undefined && html`<span>${t.server} <bdi>${serverName ?? server}</bdi></span>`}
      ${errors > 0 && html`<span class="problem-text">${t.errors(errors)}</span>`}
    </p>
    <${Readers} rules=${rules} ruleCount=${ruleCount} shown=${RULES_SHOWN} />
  </li>`;
}

function NewList(): VNode {
  const t = useTexts(LISTS_TEXTS);
  return html`<details class="panel padded scripted">
    <summary>${t.newList}</summary>
    <${ActionForm}
      operation="addListEntries"
      input=${{ entries: [{ fields: {} }] }}
      done=${t.addedOther}
      created=${t.created}
      class="filters plain-form"
    >
      <label>${t.listName} <input name="list" required pattern="[a-z][A-Za-z0-9_]*" maxlength="64" title=${t.listNameHint} /></label>
      <label>${t.firstEntry} <input name="entries.0.id" required maxlength="100" pattern=${NO_ADDRESS} title=${t.entryIdHint} /></label>
      <p class="submit"><button>${t.create}</button></p>
    <//>
  </details>`;
}
