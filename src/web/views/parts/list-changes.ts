import type { ListChange } from '../../client/records.ts';
import { addressWith } from '../addresses.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { ChangedEntries, ListData, ShownChange } from '../list-data.ts';
import type { VNode } from '../preact.mjs';
import { LISTS_TEXTS } from '../texts/lists.ts';
import { ActionForm } from './action-form.ts';
import { TimeSince } from './time.ts';

const MOST_NAMES = 5;

interface ListChangesProps {
  readonly data: ListData;
  /** The address of the list. */
  readonly here: string;
  readonly canEdit: boolean;
}

/** What people changed in a list, newest first. */
export function ListChanges({ data: { changes, olderChanges, server }, here, canEdit }: ListChangesProps): VNode {
  const t = useTexts(LISTS_TEXTS);
  const [path = ''] = here.split('?');
  return html`<section class="panel" id="changes" aria-labelledby="changes-title">
    <div class="padded"><h2 id="changes-title">${t.changes}</h2></div>
    ${changes.length === 0 && html`<p class="empty muted">${t.noChanges}</p>`}
    <ol class="rows">
      ${changes.map((change) => html`<${Change} key=${change.id} change=${change} canEdit=${canEdit} />`)}
    </ol>
    ${
      olderChanges !== undefined &&
      html`<p class="padded"><a href=${`${addressWith(path, { server, changes: olderChanges })}#changes`} rel="next">${t.older}</a></p>`
    }
  </section>`;
}

function Change({ change, canEdit }: { readonly change: ShownChange; readonly canEdit: boolean }): VNode {
  const t = useTexts(LISTS_TEXTS);
  const { id, at, by, undoes, undoneBy, parts } = change;
  const texts = parts.map((part) => `${t.changed[part.kind]}: ${namesText(part, t.andMore)}`);
  // Only the deletion of a list without entries changes none, and its undo.
  const what = texts.length > 0 ? texts.join('; ') : undoes === undefined ? t.emptyDeleted : t.emptyCreated;
  return html`<li class="entry">
    <div>
      <p dir="auto">${what}</p>
      <p class="meta">
        <span>${t.by} <bdi>${by.name}</bdi></span
        ><${TimeSince} at=${at} />
        ${undoes !== undefined && html`<span>${t.undoes}</span>`} ${undoneBy !== undefined && html`<span>${t.wasUndone}</span>`}
      </p>
    </div>
    ${
      canEdit &&
      undoneBy === undefined &&
      html`<${ActionForm} operation="undoListChange" input=${{ change: id }} done=${t.undone}>
        <button>${t.undo}<span class="unseen"> ${t.undoOf(what)}</span></button>
      <//>`
    }
  </li>`;
}

/** A change as the view shows it. */
export function shownChange({ id, at, by, undoes, undoneBy, before, after }: ListChange): ShownChange {
  const kindOf = (entry: string): ChangedEntries['kind'] => (after[entry] ? (before[entry] ? 'changed' : 'added') : 'removed');
  const parts = [...Map.groupBy(Object.keys(after), kindOf)].map(([kind, all]) => ({
    kind,
    names: all.slice(0, MOST_NAMES),
    count: all.length,
  }));
  return { id, at, by, undoes, undoneBy, parts };
}

function namesText({ names, count }: ChangedEntries, more: (count: number) => string): string {
  const rest = count - names.length;
  return names.join(', ') + (rest > 0 ? ` ${more(rest)}` : '');
}
