import { freeEntryId } from '#src/rules/people/entry-account.ts';
import type { StreamerSearch } from '../../client/records.ts';
import { addressOfList } from '../addresses.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { ListData } from '../list-data.ts';
import type { VNode } from '../preact.mjs';
import type { Address, Reader } from '../view.ts';
import { LISTS_TEXTS } from '../texts/lists.ts';
import { ActionForm } from './action-form.ts';
import { Again } from './again.ts';
import { Badge } from './badge.ts';
import { MessageText } from './message-text.ts';
import { Picture } from './picture.ts';
import { PlatformLink } from './platform-link.ts';

type Streamer = StreamerSearch['streamers'][number];

interface AddPeopleProps {
  readonly data: ListData;
  /** The names in the address. */
  readonly add: string;
  readonly address: Address;
  readonly reader: Reader;
}

/**
 * Ids of entries that a form accepts. For an entry without fields, a rule with `people` uses the id as the name of a channel, and an address is
 * never such a name.
 */
export const NO_ADDRESS = '(?!.*(?:://|\\.\\w+/)).*';

/** The search for new people of a list, and what it found. */
export function AddPeople({ data: { list, server, search, searchProblem, there, taken }, add, address, reader }: AddPeopleProps): VNode {
  const t = useTexts(LISTS_TEXTS);
  const path = addressOfList(list);
  // One person can have channels on several platforms.
  const people = [...Map.groupBy(search?.streamers ?? [], ({ name }) => name)];
  return html`<section class="panel padded" aria-labelledby="add">
    <h2 id="add">${t.add}</h2>
    <form class="filters wide" action=${`${path}#add`} role="search" aria-labelledby="add">
      ${server !== undefined && html`<input type="hidden" name="server" value=${server} />`}
      ${add !== '' && html`<${Again} address=${address} />`}
      <label>${t.names} <input type="search" name="add" defaultValue=${add} placeholder=${t.namesHint} maxlength="2000" required /></label>
      <p class="submit"><button>${t.find}</button></p>
    </form>
    <${MessageText} class="obstacle" message=${searchProblem} />
    ${
      people.length > 0 &&
      html`<ul class="found">
        ${people.map(([name, some]) => html`<${Found} key=${name} streamers=${some} list=${list} server=${server} there=${there} taken=${taken} reader=${reader} />`)}
      </ul>`
    }
    ${search?.unknown.map(
      ({ name, similar }) =>
        html`<p key=${`unknown ${name}`} class="muted">
          ${t.unknown(name)}
          ${similar.length > 0 && html`<span> ${t.similar} ${similar.map((one) => html`<a key=${one} class="similar" href=${addressOfList(list, server, one)}><bdi>${one}</bdi></a>`)}</span>`}
        </p>`,
    )}
    ${search?.unreachable.map(({ name, platform }) => html`<p key=${`unreachable ${name}`} class="obstacle">${t.unreachable(name, platform)}</p>`)}
    <details class="scripted">
      <summary>${t.other}</summary>
      <${ActionForm}
        operation="addListEntries"
        input=${{ list, server, entries: [{ fields: {} }] }}
        done=${t.addedOther}
        undo=${{ label: t.undo, done: t.undone }}
        class="filters plain-form"
      >
        <label>${t.entryId} <input name="entries.0.id" required maxlength="100" pattern=${NO_ADDRESS} title=${t.entryIdHint} /></label>
        <p class="submit"><button>${t.addThis}</button></p>
      <//>
    </details>
  </section>`;
}

/** Names a channel in {@link ListData}. */
export function accountKey({ platform, id }: Pick<Streamer, 'platform' | 'id'>): string {
  return `${platform}/${id}`;
}

interface FoundProps {
  /** The channels of one name. */
  readonly streamers: readonly Streamer[];
  readonly list: string;
  readonly server: string | undefined;
  readonly there: readonly string[];
  readonly taken: readonly string[];
  readonly reader: Reader;
}

function Found({ streamers, list, server, there, taken, reader }: FoundProps): VNode {
  const t = useTexts(LISTS_TEXTS);
  const isThere = (one: Streamer): boolean => there.includes(accountKey(one));
  const first = streamers[0]?.displayName ?? '';
  const addable = streamers.filter((one) => !isThere(one));
  return html`<li>
    ${streamers.map(
      (one) =>
        html`<div key=${one.platform} class="person">
          <${Picture} url=${one.picture} reader=${reader} />
          <div>
            <p><bdi>${one.displayName}</bdi> ${one.isLive === true && html`<${Badge} word=${t.live} tone="good" />`}</p>
            <p class="meta">
              <span>${one.platform}</span><span><${PlatformLink} url=${one.url} text=${one.handle} of=${one.platform} /></span>
            </p>
          </div>
          ${isThere(one) ? html`<p class="muted">${t.isThere}</p>` : html`<${Add} streamers=${[one]} name=${`${one.displayName} (${one.platform})`} list=${list} server=${server} taken=${taken} />`}
        </div>`,
    )}
    ${addable.length > 1 && addable.length === streamers.length && html`<${Add} streamers=${addable} name=${first} list=${list} server=${server} taken=${taken} isAll />`}
  </li>`;
}

function Add({
  streamers,
  name,
  list,
  server,
  taken,
  isAll = false,
}: Omit<FoundProps, 'there' | 'reader'> & { readonly name: string; readonly isAll?: boolean }): VNode {
  const t = useTexts(LISTS_TEXTS);
  return html`<${ActionForm}
    operation="addListEntries"
    input=${{ list, server, entries: [entryOf(streamers, taken)] }}
    done=${t.added(name)}
    undo=${{ label: t.undo, done: t.undone }}
  >
    ${isAll ? html`<button>${t.onAll(name)}</button>` : html`<button>${t.addThis}<span class="unseen"> ${t.addTo(name, list)}</span></button>`}
  <//>`;
}

/** The entry of a person with these channels, as `/follow` in Discord makes it. */
function entryOf(streamers: readonly Streamer[], taken: readonly string[]): object {
  const [first] = streamers;
  return {
    id: first && freeEntryId(first, (id) => taken.includes(id)),
    fields: {
      ...Object.fromEntries(streamers.map(({ platform, handle }) => [platform, handle])),
      userIds: Object.fromEntries(streamers.map(({ platform, id }) => [platform, id])),
      name: first?.displayName,
    },
  };
}
