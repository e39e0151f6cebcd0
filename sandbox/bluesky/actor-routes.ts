import { z } from 'zod';
import { mostFollowedFirst, personMatching, suggestionsFor } from '../social/discovery.ts';
import type { Relations } from '../social/relations.ts';
import type { WorldPerson } from '../world/world.ts';
import { Actor } from './addresses.ts';
import { toDetailedProfile, toProfile } from './profile-json.ts';
import { actor, pageAnswer, paging, query, requireActor, type SignedInRequest, text, type XrpcRoute } from './request.ts';

/** `app.bsky.actor` and `app.bsky.graph`: profiles, followers and blocks. */
export const actorRoutes: readonly XrpcRoute[] = [
  query('app.bsky.actor.getProfile', { actor }, ({ actor: name }, request) => toDetailedProfile(requireActor(name, request), request)),

  query('app.bsky.actor.getProfiles', { actors: z.array(Actor).max(25) }, ({ actors }, request) => {
    const { directory } = request.state;
    const people = actors.flatMap((name) => directory.find(name) ?? []);
    return { profiles: people.map((person) => toDetailedProfile(person, request)) };
  }),

  query('app.bsky.actor.getSuggestions', paging, (page, request) =>
    peoplePage('actors', suggestionsFor(request.viewer, request.snapshot), page, request),
  ),

  query('app.bsky.actor.searchActors', { q: text, ...paging }, ({ q, ...page }, request) =>
    peoplePage('actors', peopleMatching(q, request), page, request),
  ),

  relatedRoute('app.bsky.graph.getFollowers', 'followers', (id, relations) => relations.followersOf(id)),
  relatedRoute('app.bsky.graph.getFollows', 'follows', (id, relations) => relations.followingsOf(id)),
  relatedRoute('app.bsky.graph.getKnownFollowers', 'followers', (id, relations, viewer) =>
    relations.followersOf(id).filter((follower) => relations.follows(viewer.id, follower)),
  ),

  query('app.bsky.graph.getBlocks', paging, (page, request) =>
    peoplePage('blocks', peopleWith(request.snapshot.relations.blockedBy(request.viewer.id), request), page, request),
  ),
];

/** A method that lists people around a person. */
function relatedRoute(
  method: string,
  name: string,
  idsOf: (id: string, relations: Relations, viewer: WorldPerson) => readonly string[],
): XrpcRoute {
  return query(method, { actor, ...paging }, ({ actor: of, ...page }, request) => {
    const { viewer, snapshot } = request;
    const person = requireActor(of, request);
    const ids = idsOf(person.id, snapshot.relations, viewer).filter((id) => !snapshot.relations.parted(viewer.id, id));
    return { subject: toProfile(person, request), ...peoplePage(name, peopleWith(ids, request), page, request) };
  });
}

function peopleWith(ids: readonly string[], { snapshot }: SignedInRequest): readonly WorldPerson[] {
  return ids.flatMap((id) => snapshot.people.find(id) ?? []);
}

function peoplePage(name: string, people: readonly WorldPerson[], page: Parameters<typeof pageAnswer>[2], request: SignedInRequest) {
  return pageAnswer(name, people, page, request, (person) => toProfile(person, request));
}

/** The people with the keyword in their name or bio. Those with the most followers come first. */
function peopleMatching(keyword: string, { state, snapshot, viewer }: SignedInRequest): readonly WorldPerson[] {
  const { people, relations } = snapshot;
  const byHandle = state.directory.find(keyword.replace(/^@/, ''));
  const isAbout = personMatching(keyword);
  const found = people.all.filter((person) => person === byHandle || (isAbout(person) && !relations.parted(viewer.id, person.id)));
  return mostFollowedFirst(found, snapshot);
}
