import type { StoredList } from '../social/lists.ts';
import type { StoredPost } from '../social/posts.ts';
import { listFacts, listId, toAccounts, toList } from './account-json.ts';
import { end, establish } from './duplicates.ts';
import { accountsAnswer, pageAnswer, statusesAnswer } from './paging.ts';
import { invalid, recordNotFound } from './refusal.ts';
import { requirePerson, type Routes, type SignedInRequest } from './request.ts';
import { repliesPolicies, type ListFacts } from './state.ts';
import { visibilityOf } from './visibility.ts';

/** `/api/v1/lists`: the lists of the viewer, their members and their posts. */
export function listRoutes(routes: Routes): void {
  routes.signedIn('GET /v1/lists', 'read:lists', ({ lists, viewer, state }) =>
    lists
      .of(viewer.id)
      .toReversed()
      .map((list) => toList(list, state)),
  );

  routes.signedIn('POST /v1/lists', 'write:lists', (request) => {
    const { lists, viewer, nowMs, state } = request;
    const title = titleIn(request);
    if (!title) throw invalid("Title can't be blank");
    const list = lists.add({ ownerId: viewer.id, name: title, description: '', isPrivate: true, createdAtMs: nowMs });
    state.lists.put({ ...listFacts(list, state), ...changesIn(request) });
    return toList(list, state);
  });

  routes.signedIn('GET /v1/lists/:id', 'read:lists', (request) => toList(requireList(request), request.state));

  routes.signedIn('PUT /v1/lists/:id', 'write:lists', (request) => {
    const { state } = request;
    const list = requireList(request);
    const title = titleIn(request);
    if (title === '') throw invalid("Title can't be blank");
    state.lists.put({ ...listFacts(list, state), ...changesIn(request), ...(title !== undefined && { title }) });
    return toList(list, state);
  });

  routes.signedIn('DELETE /v1/lists/:id', 'write:lists', (request) => {
    request.lists.delete(requireList(request), request.nowMs);
    return {};
  });

  routes.signedIn('GET /v1/lists/:id/accounts', 'read:lists', (request) => {
    const members = requireList(request).memberIds.toReversed();
    if (request.fields.whole('limit') !== 0) return accountsAnswer(members, request);
    return pageAnswer(request, { items: toAccounts(members, request), next: undefined, previous: undefined });
  });

  routes.signedIn('POST /v1/lists/:id/accounts', 'write:lists', (request) => {
    const { lists, viewer, snapshot, fields } = request;
    const list = requireList(request);
    const added = fields.texts('account_ids').map((id) => requirePerson(request, id).id);
    // Mastodon accepts only accounts that the owner follows.
    if (added.some((id) => id !== viewer.id && !snapshot.relations.follows(viewer.id, id))) throw recordNotFound();
    const set = (): void => {
      if (added.some((id) => list.memberIds.includes(id))) throw invalid('Account has already been taken');
      lists.setMembers(list, [...list.memberIds, ...new Set(added)]);
    };
    const isSet = added.length > 0 && added.every((id) => list.memberIds.includes(id));
    establish(request, { kind: 'list', target: `${list.id} ${added.join()}`, isSet, set });
    return {};
  });

  routes.signedIn('DELETE /v1/lists/:id/accounts', 'write:lists', (request) => {
    const list = requireList(request);
    const removed = new Set(request.fields.texts('account_ids').flatMap((id) => request.state.ids.findPerson(id)?.id ?? []));
    const unset = (): void => {
      request.lists.setMembers(
        list,
        list.memberIds.filter((id) => !removed.has(id)),
      );
    };
    end(request, { kind: 'list', target: `${list.id} ${[...removed].join()}`, unset });
    return {};
  });

  routes.signedIn('GET /v1/timelines/list/:id', 'read:lists', (request) => {
    const list = requireList(request);
    return statusesAnswer(postsOfList(list, request), request);
  });
}

/** The posts and boosts of the members of a list. */
export function postsOfList(list: StoredList, { snapshot, state, viewer }: SignedInRequest): readonly StoredPost[] {
  const { feed, relations } = snapshot;
  const { repliesPolicy } = listFacts(list, state);
  const members = new Set(list.memberIds);
  const showsReply = (replyTo: string): boolean => {
    const authorId = feed.find(replyTo)?.authorId;
    if (authorId === undefined || repliesPolicy === 'none') return false;
    return members.has(authorId) || (repliesPolicy === 'followed' && relations.follows(viewer.id, authorId));
  };
  const posts = feed.timeline().filter((post) => members.has(post.authorId) && visibilityOf(post, state) !== 'direct');
  return posts.filter(({ replyTo }) => replyTo === undefined || showsReply(replyTo));
}

export function findList(id: string, { lists, viewer, state }: SignedInRequest): StoredList | undefined {
  return lists.of(viewer.id).find((one) => listId(one, state) === id);
}

function requireList(request: SignedInRequest): StoredList {
  const list = findList(request.param('id'), request);
  if (!list) throw recordNotFound();
  return list;
}

const titleIn = ({ fields }: SignedInRequest): string | undefined => fields.text('title')?.trim();

function changesIn({ fields }: SignedInRequest): Partial<ListFacts> {
  const repliesPolicy = repliesPolicies.find((policy) => policy === fields.text('replies_policy'));
  const exclusive = fields.flag('exclusive');
  return { ...(repliesPolicy && { repliesPolicy }), ...(exclusive !== undefined && { exclusive }) };
}
