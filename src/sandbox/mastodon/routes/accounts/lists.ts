import type { StoredList } from '../../../social/lists.ts';
import { factsOfList, listId, toList } from '../../entities/list.ts';
import { repliesPolicies } from '../../list-facts.ts';
import { visibilityOf } from '../../posts/visibility.ts';
import { invalid, recordNotFound } from '../../refusal.ts';
import { ACCOUNTS } from '../../requests/paging.ts';
import { end, establish } from '../../repeats.ts';
import { json, page, type UserVisit } from '../../visit.ts';
import { signedIn, type Routes } from '../api.ts';
import { accountsOf, peoplePage, postsPage, requirePerson } from '../listings.ts';

/** `/api/v1/lists`: the viewer's own, and who is on them. */
export function listRoutes(routes: Routes): void {
  routes.get(
    '/v1/lists',
    signedIn('read:lists', (found) =>
      json(
        found,
        found.lists
          .of(found.viewer.id)
          .toReversed()
          .map((list) => toList(list, found)),
      ),
    ),
  );

  routes.post(
    '/v1/lists',
    signedIn('write:lists', (found) => {
      const { lists, viewer, moment, ground } = found;
      const title = titleIn(found);
      if (!title) throw invalid('titleBlank');
      const list = lists.add({ ownerId: viewer.id, name: title, description: '', isPrivate: true, createdAtMs: moment.now.getTime() });
      ground.listFacts.put({ ...factsOfList(list, found), ...changesIn(found) });
      return json(found, toList(list, found));
    }),
  );

  routes.get(
    '/v1/lists/:id',
    signedIn('read:lists', (found, c) => json(found, toList(requireList(c.req.param('id') ?? '', found), found))),
  );

  routes.put(
    '/v1/lists/:id',
    signedIn('write:lists', (found, c) => {
      const list = requireList(c.req.param('id') ?? '', found);
      const title = titleIn(found);
      if (title === '') throw invalid('titleBlank');
      found.ground.listFacts.put({ ...factsOfList(list, found), ...changesIn(found), ...(title !== undefined && { title }) });
      return json(found, toList(list, found));
    }),
  );

  routes.delete(
    '/v1/lists/:id',
    signedIn('write:lists', (found, c) => {
      found.lists.delete(requireList(c.req.param('id') ?? '', found), found.moment.now.getTime());
      return json(found, {});
    }),
  );

  routes.get(
    '/v1/lists/:id/accounts',
    signedIn('read:lists', (found, c) => {
      const members = requireList(c.req.param('id') ?? '', found).memberIds.toReversed();
      if (found.fields.whole('limit') === 0) return page(found, { items: accountsOf(members, found) });
      return peoplePage(members, found, ACCOUNTS);
    }),
  );

  routes.post(
    '/v1/lists/:id/accounts',
    signedIn('write:lists', (found, c) => {
      const { lists, viewer, moment } = found;
      const list = requireList(c.req.param('id') ?? '', found);
      const people = found.fields.texts('account_ids').map((id) => requirePerson(id, found).id);
      // Nobody is put on a list by somebody who does not follow them.
      if (people.some((id) => id !== viewer.id && !moment.relations.follows(viewer.id, id))) throw recordNotFound();
      const set = (): void => {
        if (people.some((id) => list.memberIds.includes(id))) throw invalid('accountTaken');
        lists.setMembers(list, [...list.memberIds, ...new Set(people)]);
      };
      const isSet = people.length > 0 && people.every((id) => list.memberIds.includes(id));
      establish(found, { kind: 'list', target: `${list.id} ${people.join()}`, isSet, set });
      return json(found, {});
    }),
  );

  routes.delete(
    '/v1/lists/:id/accounts',
    signedIn('write:lists', (found, c) => {
      const list = requireList(c.req.param('id') ?? '', found);
      const gone = new Set(found.fields.texts('account_ids').flatMap((id) => found.ground.ids.findPerson(id)?.id ?? []));
      const left = list.memberIds.filter((id) => !gone.has(id));
      end(found, { kind: 'list', target: `${list.id} ${[...gone].join()}`, unset: () => void found.lists.setMembers(list, left) });
      return json(found, {});
    }),
  );

  routes.get(
    '/v1/timelines/list/:id',
    signedIn('read:lists', (found, c) => {
      const list = requireList(c.req.param('id') ?? '', found);
      const { repliesPolicy } = factsOfList(list, found);
      const { feed, relations } = found.moment;
      const members = new Set(list.memberIds);
      const isHeard = (replyTo: string): boolean => {
        const authorId = feed.find(replyTo)?.authorId;
        if (authorId === undefined || repliesPolicy === 'none') return false;
        return members.has(authorId) || (repliesPolicy === 'followed' && relations.follows(found.viewer.id, authorId));
      };
      const posts = feed
        .timeline()
        .filter(
          (post) =>
            members.has(post.authorId) &&
            visibilityOf(post, found.ground) !== 'direct' &&
            (post.replyTo === undefined || isHeard(post.replyTo)),
        );
      return postsPage(posts, found);
    }),
  );
}

function requireList(id: string, found: UserVisit): StoredList {
  const list = found.lists.of(found.viewer.id).find((one) => listId(one, found) === id);
  if (!list) throw recordNotFound();
  return list;
}

function titleIn({ fields }: UserVisit): string | undefined {
  return fields.text('title')?.trim();
}

function changesIn({ fields }: UserVisit): { repliesPolicy?: (typeof repliesPolicies)[number]; exclusive?: boolean } {
  const repliesPolicy = repliesPolicies.find((policy) => policy === fields.text('replies_policy'));
  const exclusive = fields.flag('exclusive');
  return { ...(repliesPolicy && { repliesPolicy }), ...(exclusive !== undefined && { exclusive }) };
}
