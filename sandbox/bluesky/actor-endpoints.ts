import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { personMatches, suggestionsFor } from '../social/discovery.ts';
import type { WorldPerson } from '../world/world.ts';
import type { Bluesky } from './core.ts';
import { Actor, AtUri, type Endpoints, type PageRequest, type SignedCall, cutPage, many, one, paging, query, text } from './endpoint.ts';
import { invalidRequest } from './refusal.ts';
import { type ListMember, findList, listsOf, membersOf, toList } from './list-view.ts';
import { knownFollowersOf, toDetailedProfile, toProfile } from './profile-view.ts';
import { type BlueskyView, requireActor, viewOf } from './view.ts';

const MOST_PROFILES = 25;

/** `app.bsky.actor`: profiles and their search. */
export function actorEndpoints(bluesky: Bluesky): Endpoints {
  return {
    'app.bsky.actor.getProfile': query(z.object({ actor: one(Actor) }), ({ actor }, call) => {
      const view = viewOf(bluesky, call);
      return toDetailedProfile(requireActor(view, actor), view);
    }),

    'app.bsky.actor.getProfiles': query(z.object({ actors: many(Actor, MOST_PROFILES) }), ({ actors }, call) => {
      const view = viewOf(bluesky, call);
      return { profiles: present(actors, view).map((person) => toDetailedProfile(person, view)) };
    }),

    'app.bsky.actor.getSuggestions': query(z.object(paging()), (pageRequest, call) => {
      const view = viewOf(bluesky, call);
      const { items, cursor } = cutPage(suggestionsFor(view.viewer, view.snapshot), pageRequest, {
        idOf: ({ id }) => id,
        fault: call.fault,
      });
      return { cursor, actors: items.map((person) => toProfile(person, view)) };
    }),

    'app.bsky.actor.searchActors': query(
      z.object({ q: text.optional(), term: text.optional(), ...paging({ usual: 25 }) }),
      (input, call) => {
        const view = viewOf(bluesky, call);
        const found = peopleAbout(input.q ?? input.term ?? '', view);
        const { items, cursor } = cutPage(found, input, { idOf: ({ id }) => id, fault: call.fault });
        return { cursor, actors: items.map((person) => toProfile(person, view)) };
      },
    ),
  };
}

function present(actors: readonly string[], { bluesky }: BlueskyView): readonly WorldPerson[] {
  const people = actors.flatMap((actor) => bluesky.directory.find(actor) ?? []);
  return people.filter((person) => !bluesky.accountStates.of(bluesky.directory.didOf(person)).takenDown);
}

/** The people with the keyword in their name or bio. Those with the most followers are first. */
function peopleAbout(keyword: string, { bluesky, snapshot, viewer }: BlueskyView): readonly WorldPerson[] {
  const { people, relations } = snapshot;
  const byHandle = bluesky.directory.find(keyword.replace(/^@/, ''));
  const found = people.all.filter(
    (person) => person === byHandle || (personMatches(person, keyword) && !relations.parted(viewer.id, person.id)),
  );
  const counted = found.map((person) => ({ person, followers: relations.followersOf(person.id).length }));
  return counted.toSorted((a, b) => b.followers - a.followers).map(({ person }) => person);
}
const ofActor = { actor: one(Actor), ...paging() };
const purposes = many(z.enum(['modlist', 'curatelist'])).optional();

/** `app.bsky.graph`: who is with whom, and lists of people. */
export function graphEndpoints(bluesky: Bluesky): Endpoints {
  /** A page of people under the name that the method gives them. */
  function people(name: string, ids: readonly string[], pageRequest: PageRequest, view: BlueskyView): JsonObject {
    const all = ids.flatMap((id) => view.snapshot.people.find(id) ?? []);
    const { items, cursor } = cutPage(all, pageRequest, { idOf: ({ id }) => id, fault: view.call.fault });
    return { cursor, [name]: items.map((person) => toProfile(person, view)) };
  }

  function around(
    name: string,
    call: SignedCall,
    { actor, ...pageRequest }: PageRequest & { readonly actor: string },
    idsOf: (person: WorldPerson, view: BlueskyView) => readonly string[],
  ): JsonObject {
    const view = viewOf(bluesky, call);
    const person = requireActor(view, actor);
    const { relations } = view.snapshot;
    const ids = idsOf(person, view).filter((id) => !relations.parted(view.viewer.id, id));
    return { subject: toProfile(person, view), ...people(name, ids, pageRequest, view) };
  }

  function toMember({ uri, person }: ListMember, view: BlueskyView): JsonObject {
    return { uri, subject: toProfile(person, view) };
  }

  return {
    'app.bsky.graph.getFollowers': query(z.object(ofActor), (input, call) =>
      around('followers', call, input, ({ id }, { snapshot }) => snapshot.relations.followersOf(id)),
    ),

    'app.bsky.graph.getFollows': query(z.object(ofActor), (input, call) =>
      around('follows', call, input, ({ id }, { snapshot }) => snapshot.relations.followingsOf(id)),
    ),

    'app.bsky.graph.getKnownFollowers': query(z.object(ofActor), (input, call) =>
      around('followers', call, input, (person, view) => knownFollowersOf(person, view).map(({ id }) => id)),
    ),

    'app.bsky.graph.getBlocks': query(z.object(paging()), (pageRequest, call) => {
      const view = viewOf(bluesky, call);
      return people('blocks', view.snapshot.relations.blockedBy(view.viewer.id), pageRequest, view);
    }),

    'app.bsky.graph.getLists': query(z.object({ ...ofActor, purposes }), ({ actor, purposes: requested, ...pageRequest }, call) => {
      const view = viewOf(bluesky, call);
      const lists = listsOf(requireActor(view, actor), view).filter(({ record }) => isOfPurpose(record, requested));
      const { items, cursor } = cutPage(lists, pageRequest, { idOf: ({ uri }) => uri, fault: call.fault });
      return { cursor, lists: items.map((list) => toList(list, view)) };
    }),

    'app.bsky.graph.getList': query(z.object({ list: one(AtUri), ...paging() }), ({ list: uri, ...pageRequest }, call) => {
      const view = viewOf(bluesky, call);
      const list = findList(uri, view);
      if (!list) throw invalidRequest(`List not found: ${uri}`);
      const { items, cursor } = cutPage(membersOf(list, view), pageRequest, { idOf: (member) => member.uri, fault: call.fault });
      return { cursor, list: toList(list, view), items: items.map((member) => toMember(member, view)) };
    }),
  };
}

function isOfPurpose({ purpose }: JsonObject, requested: readonly string[] | undefined): boolean {
  return requested === undefined || requested.some((one) => purpose === `app.bsky.graph.defs#${one}`);
}
