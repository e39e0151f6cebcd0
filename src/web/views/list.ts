import type { List, ListChange, Server, StreamerSearch } from '../client/records.ts';
import { hasAccount } from '#src/rules/people/entry-account.ts';
import { ApiProblem, type ApiClient } from '../client/client.ts';
import { addressOfList, addressWith, firstIn, titleWith } from './addresses.ts';
import { html } from './html.ts';
import { useTexts, type Language } from './language.ts';
import type { ListData, ShownEntry } from './list-data.ts';
import { ActionForm } from './parts/action-form.ts';
import { accountKey, AddPeople } from './parts/add-people.ts';
import { ListChanges, shownChange } from './parts/list-changes.ts';
import { KindBadge, Readers, SourceAndErrors } from './parts/list-facts.ts';
import { ListEntries } from './parts/list-entries.ts';
import { VIEW_PATHS } from './paths.ts';
import type { VNode } from './preact.mjs';
import { LISTS_TEXTS } from './texts/lists.ts';
import { problemText } from './texts/problems.ts';
import type { Address, BodyProps, View } from './view.ts';

const ENTRIES_SHOWN = 50;
const CHANGES_SHOWN = 10;
const RULES_SHOWN = 50;

/** One list: its rules, its entries, and what people changed. */
export const list: View<ListData> = {
  path: VIEW_PATHS.list,
  title: ({ data: { list: name, server, serverName } }, language) =>
    titleWith(LISTS_TEXTS[language].listTitle(name), [serverName ?? server]),
  refreshOn: ['rules', 'lists'],
  async load(client, address, language, before) {
    const { server, from, q, add, changes } = queryIn(address);
    const ref = { list: address.parameters['list'] ?? '', server };
    const changed = client.call('listListChanges', { ...ref, server: server ?? 'installation', cursor: changes, limit: CHANGES_SHOWN });
    const [found, searched, log, serverName] = await Promise.all([
      client.call('getList', ref).catch(deletedIn(ref, changed)),
      before?.data ?? (add === '' ? undefined : searchFor(add, client, language)),
      changed,
      server === undefined ? undefined : nameOfServer(server, client),
    ]);
    const { search, searchProblem } = searched ?? {};
    const matching = found.entries.filter((entry) => matches(entry, q));
    return {
      ...found,
      serverName,
      entries: matching.slice(from, from + ENTRIES_SHOWN).map(({ id, fields, isFromSource }) => ({ id, fields, isFromSource })),
      found: matching.length,
      there: search ? search.streamers.filter((one) => found.entries.some((entry) => hasAccount(entry, one))).map(accountKey) : [],
      taken: search ? takenIds(found, search) : [],
      changes: log.items.map(shownChange),
      olderChanges: log.cursor,
      search,
      searchProblem,
    };
  },
  Body,
};

interface Query {
  readonly server: string | undefined;
  readonly from: number;
  readonly q: string;
  readonly add: string;
  readonly changes: string | undefined;
}

/** People edit addresses, so that any other value counts as absent. */
function queryIn({ query }: Address): Query {
  const { server = '', q = '', add = '', changes = '' } = query;
  return {
    server: /^\d{1,25}$/u.test(server) ? server : undefined,
    from: firstIn(query),
    q: q.trim().slice(0, 200),
    add: add.trim().slice(0, 2000),
    changes: changes === '' ? undefined : changes.slice(0, 2000),
  };
}

/** A list that does not exist, but has changes, was deleted. Its page has these changes, so that they can be undone. */
function deletedIn(
  ref: Pick<ListChange, 'list' | 'server'>,
  changed: Promise<{ readonly items: readonly ListChange[] }>,
): (error: unknown) => Promise<List & Pick<ListData, 'isDeleted'>> {
  return async (error) => {
    if ((await changed).items.length === 0 || !(error instanceof ApiProblem) || error.problem.code !== 'listNotFound') throw error;
    return { ...ref, kind: 'living', isDeleted: true, diagnostics: [], entries: [] };
  };
}

/** Undefined for a reader who may not add people: each search costs requests to the platforms. */
async function searchFor(
  name: string,
  client: ApiClient,
  language: Language,
): Promise<Pick<ListData, 'search' | 'searchProblem'> | undefined> {
  try {
    return { search: await client.call('searchStreamers', { name }) };
  } catch (error) {
    if (error instanceof ApiProblem && error.problem.status === 403) return undefined;
    if (error instanceof ApiProblem && error.problem.code === 'tooManyNames')
      return { searchProblem: problemText(error.problem, language) };
    throw error;
  }
}

async function nameOfServer(server: string, client: ApiClient): Promise<string | undefined> {
  const { items } = await client.call('listServers', {});
  return items.find(({ id }: Server) => id === server)?.name;
}

function matches({ id, fields }: ShownEntry, text: string): boolean {
  const wanted = text.toLowerCase();
  return wanted === '' || [id, ...Object.values(fields).map(String)].some((value) => value.toLowerCase().includes(wanted));
}

/** The ids of entries that new entries of these channels could have. */
function takenIds({ entries }: List, { streamers }: StreamerSearch): readonly string[] {
  const handles = streamers.map(({ handle }) => handle.toLowerCase());
  return entries.map(({ id }) => id).filter((id) => handles.some((handle) => id === handle || id.startsWith(`${handle}-`)));
}

function Body({ data, address, reader }: BodyProps<ListData>): VNode {
  const t = useTexts(LISTS_TEXTS);
  const { list: name, server, serverName, kind, file = '', source, found, entries } = data;
  const { q, from, add } = queryIn(address);
  const exists = data.isDeleted === undefined;
  const canEdit = reader.canAct && kind === 'living';
  const here = addressOfList(name, server);
  const page = (first: number): string =>
    addressWith(here.split('?')[0] ?? '', { server, q, from: first === 0 ? undefined : String(first) });
  return html`<div class="view">
    <p><a href=${VIEW_PATHS.lists}>${t.title}</a></p>
    <div class="rule-head">
      <h1><bdi>${name}</bdi></h1>
      ${exists && html`<${KindBadge} kind=${kind} />`}
    </div>
    ${server !== undefined && html`<p class="muted">${t.server} <bdi>${serverName ?? server}</bdi></p>`}
    ${kind === 'file' && html`<p class="obstacle">${source ? t.editFileSource(file) : t.editFile(file)}</p>`}
    ${(source ?? data.diagnostics[0]) && html`<${SourceAndErrors} ...${data} />`}
    ${
      exists
        ? html`<${Readers} ...${data} shown=${RULES_SHOWN} />
            ${canEdit && html`<${AddPeople} data=${data} add=${add} address=${address} reader=${reader} />`}
            <${ListEntries} data=${data} q=${q} canEdit=${canEdit} address=${address} />
            <nav class="pager" aria-label=${t.pages}>
              ${from > 0 ? html`<a href=${page(0)}>${t.first}</a>` : html`<span></span>`}
              <a href=${addressWith(`/api/lists/${encodeURIComponent(name)}/export`, { server })} download=${`${name}.yaml`}>${t.export}</a>
              ${from + entries.length < found ? html`<a href=${page(from + ENTRIES_SHOWN)} rel="next">${t.next}</a>` : html`<span></span>`}
            </nav>`
        : html`<p class="obstacle">${t.isDeleted}</p>`
    }
    ${kind === 'living' && html`<${ListChanges} data=${data} here=${here} canEdit=${canEdit} />`}
    ${
      canEdit &&
      exists &&
      html`<${ActionForm}
        operation="deleteList"
        input=${{ list: name, server }}
        done=${t.deleted(name)}
        undo=${{ label: t.undo, done: t.undone }}
      >
        <button>${t.delete}</button>
      <//>`
    }
  </div>`;
}
