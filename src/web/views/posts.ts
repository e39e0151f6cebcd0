import type { WaitingPost } from '../client/records.ts';
import { firstIn } from './addresses.ts';
import { html } from './html.ts';
import { useTexts } from './language.ts';
import { answered } from './parts/answered.ts';
import { WaitingPostRow, type ShownPost } from './parts/waiting-post-row.ts';
import { VIEW_PATHS } from './paths.ts';
import { useState, type VNode } from './preact.mjs';
import { POSTS_TEXTS } from './texts/posts.ts';
import type { BodyProps, View } from './view.ts';

/** A text can have thousands of characters. */
const SHOWN = 20;

interface PostsData {
  /** Absent for readers who may not see the texts. */
  readonly waiting?: { readonly items: readonly ShownPost[]; readonly count: number } | undefined;
}

/** The posts that people wrote in Discord and that are not sent yet. */
export const posts: View<PostsData> = {
  path: VIEW_PATHS.posts,
  title: (_, language) => POSTS_TEXTS[language].title,
  // A new post is a decision, an edit is an action, and a post that begins to be sent is a delivery.
  refreshOn: ['decision', 'actions', 'delivery'],
  async load(client, address) {
    const { role } = await client.call('getSession', {});
    if (role === 'viewer') return {};
    const [{ items }, servers] = await Promise.all([client.call('listWaitingPosts', {}), client.call('listServers', {})]);
    const names = new Map(servers.items.map(({ id, name }) => [id, name]));
    const from = firstIn(address.query);
    return { waiting: { items: items.slice(from, from + SHOWN).map((post) => toShown(post, names)), count: items.length } };
  },
  Body,
};

function toShown({ targets, server, ...post }: WaitingPost, names: ReadonlyMap<string, string>): ShownPost {
  const serverName = server === undefined ? undefined : (names.get(server) ?? server);
  return { ...post, serverName, accounts: targets.map(({ account }) => account) };
}

function Body({ data: { waiting }, address }: BodyProps<PostsData>): VNode {
  const t = useTexts(POSTS_TEXTS);
  return html`<div class="view">
    <h1>${t.title}</h1>
    <p class="muted">${t.about}</p>
    ${waiting ? html`<${Waiting} ...${waiting} from=${firstIn(address.query)} />` : html`<p class="obstacle">${t.editorsOnly}</p>`}
  </div>`;
}

function Waiting({ items, count, from }: NonNullable<PostsData['waiting']> & { readonly from: number }): VNode {
  const t = useTexts(POSTS_TEXTS);
  /** The posts whose text the reader is editing, as they were at the first key. Such a text must not disappear with its post. */
  const [begun, setBegun] = useState<ReadonlyMap<string, ShownPost>>(new Map());
  const left = [...begun.values()].filter(({ id }) => !items.some((post) => post.id === id));
  const shown = [...items, ...left].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return html`<div>
    <section class="panel" aria-label=${t.title}>
      ${shown.length === 0 && count === 0 && html`<p class="empty muted">${t.none} <code>${t.command}</code></p>`}
      <ol class="rows">
        ${shown.map(
          (post) =>
            html`<${WaitingPostRow}
              key=${post.id}
              post=${post}
              begunAt=${editsSeen(begun.get(post.id))}
              hasLeft=${left.includes(post)}
              onBegin=${() => begun.has(post.id) || setBegun(new Map([...begun, [post.id, post]]))}
              onEnd=${() => setBegun(new Map([...begun].filter(([id]) => id !== post.id)))}
            />`,
        )}
      </ol>
    </section>
    ${
      (count > SHOWN || from > 0) &&
      html`<nav class="pager" aria-label=${t.pages}>
        ${from > 0 ? html`<a href=${VIEW_PATHS.posts}>${t.first}</a>` : html`<span></span>`}
        ${from + SHOWN < count ? html`<a href=${`${VIEW_PATHS.posts}?from=${from + SHOWN}`} rel="next">${t.next}</a>` : html`<span></span>`}
      </nav>`
    }
  </div>`;
}

/** The number of edits of a post that the reader saw, with the reader's last one. Undefined: the reader did not begin to edit it. */
function editsSeen(begun: ShownPost | undefined): number | undefined {
  if (begun === undefined || answered.value?.operation !== 'editPost') return begun?.edits;
  const { id, edits } = answered.value.answer as WaitingPost; // the answer of this operation
  return id === begun.id ? Math.max(begun.edits, edits) : begun.edits;
}
