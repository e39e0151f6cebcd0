import { addressOfItem, addressOfList } from '../addresses.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { ListData, ShownEntry } from '../list-data.ts';
import type { VNode } from '../preact.mjs';
import { LISTS_TEXTS } from '../texts/lists.ts';
import type { Address } from '../view.ts';
import { ActionForm } from './action-form.ts';
import { Again } from './again.ts';
import { Badge } from './badge.ts';

interface ListEntriesProps {
  readonly data: ListData;
  /** The filter. */
  readonly q: string;
  readonly canEdit: boolean;
  readonly address: Address;
}

/** The entries of a list, with their links and buttons. */
export function ListEntries({ data: { list, server, entries, found }, q, canEdit, address }: ListEntriesProps): VNode {
  const t = useTexts(LISTS_TEXTS);
  return html`<section class="panel" aria-labelledby="entries">
    <div class="padded">
      <h2 id="entries">${t.entries(found)}</h2>
      <form class="filters" action=${`${addressOfList(list)}#entries`} role="search" aria-labelledby="entries">
        ${server !== undefined && html`<input type="hidden" name="server" value=${server} />`}
        ${address.query['q'] !== undefined && html`<${Again} address=${address} />`}
        <label>${t.filterLabel} <input type="search" name="q" defaultValue=${q} maxlength="200" /></label>
        <p class="submit"><button>${t.filter}</button> ${q !== '' && html`<a href=${addressOfList(list, server)}>${t.showAll}</a>`}</p>
      </form>
    </div>
    ${found === 0 && html`<p class="empty muted">${q === '' ? t.noEntries : t.noMatch}</p>`}
    <ul class="rows">
      ${entries.map((entry) => html`<${Row} key=${entry.id} entry=${entry} list=${list} server=${server} canEdit=${canEdit} />`)}
    </ul>
  </section>`;
}

interface RowProps {
  readonly entry: ShownEntry;
  readonly list: string;
  readonly server: string | undefined;
  readonly canEdit: boolean;
}

/** Fields that the row shows elsewhere, or that only programs read. */
const NOT_SHOWN = new Set(['name', 'userIds']);

function Row({ entry: { id, fields, isFromSource }, list, server, canEdit }: RowProps): VNode {
  const t = useTexts(LISTS_TEXTS);
  const name = typeof fields['name'] === 'string' ? fields['name'] : id;
  const shown = Object.entries(fields).filter(([field]) => !NOT_SHOWN.has(field));
  return html`<li class="entry">
    <div>
      <p>
        <strong><bdi>${name}</bdi></strong
        >${name !== id && html`<span class="muted"> <bdi>${id}</bdi></span>`}${' '}
        ${isFromSource === true && html`<${Badge} word=${t.fromSource} tone="calm" title=${t.fromSourceTitle} />`}
      </p>
      <p class="meta">
        ${shown.map(([field, value]) => html`<span key=${field}>${field}: <bdi>${typeof value === 'string' ? value : JSON.stringify(value)}</bdi></span>`)}
        <a href=${addressOfItem(name)}>${t.why}<span class="unseen"> ${name}</span></a>
      </p>
    </div>
    ${
      canEdit &&
      html`<${ActionForm}
        operation="removeListEntries"
        input=${{ list, server, entries: [id] }}
        done=${t.removed(name)}
        undo=${{ label: t.undo, done: t.undone }}
      >
        <button>${t.remove}<span class="unseen"> ${name}</span></button>
      <//>`
    }
  </li>`;
}
