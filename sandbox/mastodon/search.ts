import { spelledHashtagsIn } from '../social/hashtags.ts';
import { matchesKeyword, mostFollowedFirst, personMatching } from '../social/discovery.ts';
import type { StoredPost } from '../social/posts.ts';
import type { WorldPerson } from '../world/world.ts';
import { toAccount } from './account-json.ts';
import { offsetPage, STATUSES } from './paging.ts';
import { Refusal } from '../refusal.ts';
import { findStatus, type MastodonRequest, type Routes } from './request.ts';
import { profileUrl } from './state.ts';
import { toStatus, toTag } from './status-json.ts';
import { findMentioned, visibilityOf } from './visibility.ts';

/** `GET /api/v2/search`: accounts, hashtags, and the text of posts if the server has an index. */
export function searchRoutes(routes: Routes): void {
  routes.open('GET /v2/search', (request) => {
    const { fields } = request;
    const query = fields.text('q')?.trim() ?? '';
    if (query === '') throw new Refusal(400, 'param is missing or the value is empty or invalid: q');
    const type = fields.text('type') ?? '';
    const selected = <T>(kind: string, items: () => readonly T[]): readonly T[] =>
      type === '' || type === kind ? offsetPage(items(), request, STATUSES).items : [];
    return {
      accounts: selected('accounts', () => peopleMatching(query, request)).map((person) => toAccount(person, request)),
      statuses: selected('statuses', () => postsMatching(query, request)).map((post) => toStatus(post, request)),
      hashtags: selected('hashtags', () => tagsMatching(query, request)).map((name) => toTag(name, request)),
    };
  });
}

/** The local account with this name, with or without `@` and the server. */
export function findLocal(acct: string, { state }: MastodonRequest): WorldPerson | undefined {
  const [, username = '', domain] = /^@?([^@]+)(?:@(.+))?$/.exec(acct.trim()) ?? [];
  return findMentioned({ username, domain }, state);
}

/** The people with the query in their name or bio. The account with exactly that name is first. */
export function peopleMatching(query: string, request: MastodonRequest): readonly WorldPerson[] {
  const { snapshot, viewer, state } = request;
  const { people, relations } = snapshot;
  const wanted = query.trim().replace(/^@/, '');
  const named = findLocal(wanted, request) ?? people.all.find(({ handle }) => profileUrl(handle, state) === wanted);
  if (wanted === '' || wanted.includes('@') || URL.canParse(wanted)) return named ? [named] : [];
  const others = people.all
    .filter(personMatching(wanted))
    .filter((person) => person !== named && !(viewer && relations.parted(viewer.id, person.id)));
  return [...(named ? [named] : []), ...mostFollowedFirst(others, snapshot)];
}

/** The post at an address, or the public posts with a text and those of the viewer, newest first. */
function postsMatching(query: string, request: MastodonRequest): readonly StoredPost[] {
  const { state, snapshot, viewer, fields } = request;
  if (URL.canParse(query)) return postAt(query, request);
  if (!state.settings.current.fullText || !viewer) return [];
  const author = fields.text('account_id');
  return snapshot.feed
    .all()
    .filter(
      (post) =>
        (author === undefined || state.ids.account(post.authorId) === author) &&
        (visibilityOf(post, state) === 'public' || post.authorId === viewer.id) &&
        matchesKeyword(post, query),
    );
}

function postAt(address: string, request: MastodonRequest): readonly StoredPost[] {
  const [, handle, id] = /\/(?:@([^/]+)|users\/[^/]+\/statuses)\/([^/]+)$/.exec(new URL(address).pathname) ?? [];
  const post = id === undefined ? undefined : findStatus(id, request);
  const author = post && request.snapshot.people.find(post.authorId);
  return post && (handle === undefined || author?.handle === handle) ? [post] : [];
}

/** The names of the hashtags that begin with the query, without #. */
function tagsMatching(query: string, { snapshot, state }: MastodonRequest): readonly string[] {
  const wanted = query.replace(/^#/, '').toLowerCase();
  const posts = snapshot.feed.all().filter((post) => visibilityOf(post, state) === 'public');
  const names = posts.flatMap(({ text }) => spelledHashtagsIn(text).map((tag) => tag.slice(1)));
  return [...new Map(names.map((name) => [name.toLowerCase(), name]))].filter(([name]) => name.startsWith(wanted)).map(([, name]) => name);
}
