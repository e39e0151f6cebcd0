import type { JsonObject } from '#src/operation/json.ts';
import { fold } from '../../../social/hashtags.ts';
import type { StoredPost } from '../../../social/posts.ts';
import { suggestionsFor } from '../../../social/suggestions.ts';
import { timelineOf } from '../../../social/user-record.ts';
import type { WorldPerson } from '../../../world/world.ts';
import { toAccount, toCredentialAccount } from '../../entities/account.ts';

import { postsTagged } from '../../entities/tag.ts';
import { visibilityOf } from '../../posts/visibility.ts';
import { recordNotFound } from '../../refusal.ts';
import { ACCOUNTS } from '../../requests/paging.ts';
import { json, type UserVisit, type Visit } from '../../visit.ts';
import { anybody, nowhere, signedIn, type Routes } from '../api.ts';
import { accountsOf, idsIn, peoplePage, postsPage, requirePerson } from '../listings.ts';
import { peopleAbout } from '../timelines/searching.ts';

const MOST_FOUND = 80;

/** `/api/v1/accounts`: who somebody is, and what they wrote. */
export function accountRoutes(routes: Routes): void {
  routes.get(
    '/v1/accounts/verify_credentials',
    signedIn('read:accounts', (found) => json(found, toCredentialAccount(found))),
  );

  routes.get(
    '/v1/accounts/lookup',
    anybody('read:accounts', (found) => {
      const person = found.ground.directory.findAcct(found.fields.text('acct') ?? '');
      if (!person) throw recordNotFound();
      return json(found, toAccount(person, found));
    }),
  );

  routes.get(
    '/v1/accounts/search',
    signedIn('read:accounts', (found) => {
      const { fields, viewer, moment } = found;
      const all = peopleAbout(fields.text('q') ?? '', found);
      const people = fields.flag('following') ? all.filter(({ id }) => moment.relations.follows(viewer.id, id)) : all;
      const limit = Math.min(fields.whole('limit') ?? ACCOUNTS.usual, MOST_FOUND);
      const offset = fields.whole('offset') ?? 0;
      return json(
        found,
        people.slice(offset, offset + limit).map((person) => toAccount(person, found)),
      );
    }),
  );

  routes.get(
    '/v1/accounts/familiar_followers',
    signedIn('read:follows', (found) =>
      json(
        found,
        idsIn(found).map((id) => familiarFollowers(id, found)),
      ),
    ),
  );

  routes.get(
    '/v1/accounts',
    anybody('read:accounts', (found) => {
      if (!found.ground.settings.features.hasBatches) return nowhere(found.ground);
      const people = idsIn(found).flatMap((id) => found.ground.ids.findPerson(id) ?? []);
      return json(
        found,
        people.map((person) => toAccount(person, found)),
      );
    }),
  );

  // Words are routes of their own.
  routes.get(
    '/v1/accounts/:id{[0-9A-Z]+}',
    anybody('read:accounts', (found, c) => json(found, toAccount(requirePerson(c.req.param('id') ?? '', found), found))),
  );

  routes.get(
    '/v1/accounts/:id/statuses',
    anybody('read:statuses', (found, c) => postsPage(wroteBy(requirePerson(c.req.param('id') ?? '', found), found), found)),
  );

  routes.get(
    '/v1/accounts/:id/followers',
    anybody('read:accounts', (found, c) =>
      peoplePage(found.moment.relations.followersOf(requirePerson(c.req.param('id') ?? '', found).id), found),
    ),
  );

  routes.get(
    '/v1/accounts/:id/following',
    anybody('read:accounts', (found, c) =>
      peoplePage(found.moment.relations.followingsOf(requirePerson(c.req.param('id') ?? '', found).id), found),
    ),
  );

  routes.get(
    '/v1/suggestions',
    signedIn('read', (found) =>
      json(
        found,
        suggested(found).map((person) => toAccount(person, found)),
      ),
    ),
  );

  routes.get(
    '/v2/suggestions',
    signedIn('read', (found) =>
      json(
        found,
        suggested(found).map((person) => ({ source: 'global', sources: ['friends_of_friends'], account: toAccount(person, found) })),
      ),
    ),
  );
}

function suggested(found: UserVisit): readonly WorldPerson[] {
  const limit = Math.min(found.fields.whole('limit') ?? ACCOUNTS.usual, ACCOUNTS.most);
  return suggestionsFor(found.viewer, found.moment).slice(0, limit);
}

/** Whom the viewer follows among those who follow somebody. */
function familiarFollowers(id: string, found: UserVisit): JsonObject {
  const { viewer, moment } = found;
  const person = requirePerson(id, found);
  const known = moment.relations.followersOf(person.id).filter((follower) => moment.relations.follows(viewer.id, follower));
  return { id, accounts: accountsOf(known, found) };
}

function wroteBy(person: WorldPerson, found: Visit): readonly StoredPost[] {
  const { fields, moment, ground } = found;
  if (fields.flag('pinned')) {
    return moment.reactions.by('pin', person.id).flatMap(({ postId }) => moment.feed.find(postId) ?? []);
  }
  const tag = fields.text('tagged');
  const tagged = tag === undefined ? undefined : new Set(postsTagged(fold(tag), found).map(({ id }) => id));
  return timelineOf(person, moment).filter(
    (post) =>
      !(fields.flag('exclude_replies') && isReplyToOthers(post, found)) &&
      !(fields.flag('exclude_reblogs') && post.repostOf !== undefined) &&
      !(fields.flag('exclude_direct') && visibilityOf(post, ground) === 'direct') &&
      !(fields.flag('only_media') && (post.media.length === 0 || post.repostOf !== undefined)) &&
      (tagged === undefined || tagged.has(post.id)),
  );
}

/** Whoever goes on below a post of their own answers nobody. */
function isReplyToOthers({ authorId, replyTo }: StoredPost, { moment }: Visit): boolean {
  return replyTo !== undefined && moment.feed.find(replyTo)?.authorId !== authorId;
}
