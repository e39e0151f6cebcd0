import { fold } from '../social/hashtags.ts';
import type { StoredPost } from '../social/posts.ts';
import { suggestionsFor } from '../social/discovery.ts';
import type { WorldPerson } from '../world/world.ts';
import { toAccount, toAccounts, toCredentialAccount, toList, toRelationship } from './account-json.ts';
import { end, establish } from './duplicates.ts';
import { ACCOUNTS, accountsAnswer, limitOf, offsetPage, statusesAnswer } from './paging.ts';
import { notAllowed, recordNotFound, routeNotFound } from './refusal.ts';
import { refreshed, requirePerson, type MastodonRequest, type Routes, type SignedInRequest } from './request.ts';
import { peopleMatching, findLocal } from './search.ts';
import { postsTagged } from './status-json.ts';

/** `/api/v1/accounts`: accounts, their posts, and their relationships with the viewer. */
export function accountRoutes(routes: Routes): void {
  routes.signedIn('GET /v1/accounts/verify_credentials', 'read:accounts', toCredentialAccount);

  routes.open('GET /v1/accounts/lookup', (request) => {
    const person = findLocal(request.fields.text('acct') ?? '', request);
    if (!person) throw recordNotFound();
    return toAccount(person, request);
  });

  routes.signedIn('GET /v1/accounts/search', 'read:accounts', (request) => {
    const people = peopleMatching(request.fields.text('q') ?? '', request);
    return offsetPage(people, request, ACCOUNTS).items.map((person) => toAccount(person, request));
  });

  routes.signedIn('GET /v1/accounts/familiar_followers', 'read:follows', (request) => {
    const { relations } = request.snapshot;
    return idsIn(request).map((id) => {
      const followers = relations.followersOf(requirePerson(request, id).id);
      const known = followers.filter((follower) => relations.follows(request.viewer.id, follower));
      return { id, accounts: toAccounts(known, request) };
    });
  });

  routes.signedIn('GET /v1/accounts/relationships', 'read:follows', (request) =>
    peopleIn(request).map((person) => toRelationship(person, request)),
  );

  routes.open('GET /v1/accounts', (request) => {
    if (!request.state.settings.features.isRecent) throw routeNotFound();
    return peopleIn(request).map((person) => toAccount(person, request));
  });

  routes.open('GET /v1/accounts/:id{[0-9A-Z]+}', (request) => toAccount(personOf(request), request));
  routes.open('GET /v1/accounts/:id/statuses', (request) => statusesAnswer(postsBy(personOf(request), request), request));
  routes.open('GET /v1/accounts/:id/followers', (request) =>
    accountsAnswer(request.snapshot.relations.followersOf(personOf(request).id), request),
  );
  routes.open('GET /v1/accounts/:id/following', (request) =>
    accountsAnswer(request.snapshot.relations.followingsOf(personOf(request).id), request),
  );
  routes.signedIn('GET /v1/accounts/:id/lists', 'read:lists', (request) => {
    const { id } = personOf(request);
    const lists = request.lists.of(request.viewer.id).filter(({ memberIds }) => memberIds.includes(id));
    return lists.map((list) => toList(list, request.state));
  });
  routes.signedIn('GET /v1/blocks', 'read:blocks', (request) =>
    accountsAnswer(request.snapshot.relations.blockedBy(request.viewer.id), request),
  );

  routes.signedIn('GET /v1/suggestions', 'read', (request) => suggested(request).map((person) => toAccount(person, request)));
  routes.signedIn('GET /v2/suggestions', 'read', (request) =>
    suggested(request).map((person) => ({ source: 'global', sources: ['friends_of_friends'], account: toAccount(person, request) })),
  );

  addChange(routes, 'follow', 'write:follows', (person, request) => {
    const isSet = request.snapshot.relations.follows(request.viewer.id, person.id);
    establish(request, { kind: 'follow', target: person.id, isSet, set: () => follow(person, request) });
  });
  addChange(routes, 'unfollow', 'write:follows', ({ id }, request) => {
    const { viewer, snapshot, nowMs } = request;
    const unset = (): void => {
      snapshot.relations.setFollow(viewer.id, id, false, nowMs);
      snapshot.relations.setNotify(viewer.id, id, false, nowMs);
    };
    end(request, { kind: 'follow', target: id, unset });
  });
  addChange(routes, 'block', 'write:blocks', ({ id }, request) => {
    const { viewer, snapshot, nowMs } = request;
    const { relations } = snapshot;
    if (id === viewer.id) throw notAllowed();
    const set = (): void => relations.setBlock(viewer.id, id, true, nowMs);
    establish(request, { kind: 'block', target: id, isSet: relations.blocks(viewer.id, id), set });
  });
  addChange(routes, 'unblock', 'write:blocks', ({ id }, request) => {
    const { viewer, snapshot, nowMs } = request;
    end(request, { kind: 'block', target: id, unset: () => snapshot.relations.setBlock(viewer.id, id, false, nowMs) });
  });
}

function addChange(routes: Routes, name: string, scope: string, apply: (person: WorldPerson, request: SignedInRequest) => void): void {
  routes.signedIn(`POST /v1/accounts/:id/${name}`, scope, (request) => {
    const person = personOf(request);
    apply(person, request);
    return toRelationship(person, refreshed(request));
  });
}

/** Follows a person, or changes the notifications of a follow. */
function follow({ id }: WorldPerson, { viewer, snapshot, state, fields, nowMs }: SignedInRequest): void {
  const { relations } = snapshot;
  if (id === viewer.id) throw recordNotFound();
  if (relations.parted(viewer.id, id)) throw notAllowed();
  if (!relations.follows(viewer.id, id)) {
    relations.setFollow(viewer.id, id, true, nowMs);
    state.follows.put({ userId: viewer.id, target: id, atMs: nowMs });
  }
  const notify = fields.flag('notify');
  if (notify !== undefined) relations.setNotify(viewer.id, id, notify, nowMs);
}

const personOf = (request: MastodonRequest): WorldPerson => requirePerson(request, request.param('id'));

const idsIn = ({ fields }: MastodonRequest): readonly string[] => [...new Set(fields.texts('id'))];

function peopleIn(request: MastodonRequest): readonly WorldPerson[] {
  return idsIn(request).flatMap((id) => request.state.ids.findPerson(id) ?? []);
}

function suggested(request: SignedInRequest): readonly WorldPerson[] {
  return suggestionsFor(request.viewer, request.snapshot).slice(0, limitOf(request, ACCOUNTS));
}

function postsBy({ id }: WorldPerson, request: MastodonRequest): readonly StoredPost[] {
  const { fields, snapshot } = request;
  const { feed, reactions } = snapshot;
  if (fields.flag('pinned')) return reactions.by('pin', id).flatMap(({ postId }) => feed.find(postId) ?? []);
  const tag = fields.text('tagged');
  const tagged = tag === undefined ? undefined : new Set(postsTagged(fold(tag), request).map((post) => post.id));
  // A reply to an earlier post of the same author is not a reply to others.
  const isReply = ({ replyTo }: StoredPost): boolean => replyTo !== undefined && feed.find(replyTo)?.authorId !== id;
  return feed
    .timelineOf(id)
    .filter(
      (post) =>
        !(fields.flag('exclude_replies') && isReply(post)) &&
        !(fields.flag('exclude_reblogs') && post.repostOf !== undefined) &&
        !(fields.flag('only_media') && (post.media.length === 0 || post.repostOf !== undefined)) &&
        (tagged === undefined || tagged.has(post.id)),
    );
}
