import { z } from 'zod';
import { isAbout } from '../../social/search.ts';
import { suggestionsFor } from '../../social/suggestions.ts';
import type { WorldPerson } from '../../world/world.ts';
import type { Bluesky } from '../core.ts';
import { lookOf, requireActor, type Look } from '../view/look.ts';
import { toBasicProfile, toDetailedProfile, toProfile } from '../view/profile.ts';
import { query, type Endpoints } from '../xrpc/endpoint.ts';
import { Actor, many, one, paging, text, whole } from '../xrpc/params.ts';
import { cutPage } from '../xrpc/paging.ts';

const MOST_PROFILES = 25;

/** `app.bsky.actor`: who somebody is. */
export function actorEndpoints(bluesky: Bluesky): Endpoints {
  return {
    'app.bsky.actor.getProfile': query(z.object({ actor: one(Actor) }), ({ actor }, call) => {
      const look = lookOf(bluesky, call);
      return toDetailedProfile(requireActor(look, actor), look);
    }),

    'app.bsky.actor.getProfiles': query(z.object({ actors: many(Actor, MOST_PROFILES) }), ({ actors }, call) => {
      const look = lookOf(bluesky, call);
      return { profiles: present(actors, look).map((person) => toDetailedProfile(person, look)) };
    }),

    'app.bsky.actor.getSuggestions': query(z.object(paging()), (asked, call) => {
      const look = lookOf(bluesky, call);
      const { items, cursor } = cutPage(suggestionsFor(look.viewer, look.moment), asked, { idOf: ({ id }) => id, fault: call.fault });
      return { cursor, actors: items.map((person) => toProfile(person, look)) };
    }),

    'app.bsky.actor.searchActors': query(
      z.object({ q: text.optional(), term: text.optional(), ...paging({ usual: 25 }) }),
      (given, call) => {
        const look = lookOf(bluesky, call);
        const found = peopleAbout(given.q ?? given.term ?? '', look);
        const { items, cursor } = cutPage(found, given, { idOf: ({ id }) => id, fault: call.fault });
        return { cursor, actors: items.map((person) => toProfile(person, look)) };
      },
    ),

    'app.bsky.actor.searchActorsTypeahead': query(
      z.object({ q: text.optional(), term: text.optional(), limit: whole({ most: 100, usual: 10 }) }),
      ({ q, term, limit }, call) => {
        const look = lookOf(bluesky, call);
        return {
          actors: peopleAbout(q ?? term ?? '', look)
            .slice(0, limit)
            .map((person) => toBasicProfile(person, look)),
        };
      },
    ),
  };
}

function present(actors: readonly string[], { bluesky }: Look): readonly WorldPerson[] {
  const people = actors.flatMap((actor) => bluesky.directory.find(actor) ?? []);
  return people.filter((person) => !bluesky.standings.of(bluesky.directory.didOf(person)).takenDown);
}

/** Those who are called so, or say it of themselves; whom most follow comes first. */
function peopleAbout(keyword: string, { bluesky, moment, viewer }: Look): readonly WorldPerson[] {
  const { people, relations } = moment;
  const byHandle = bluesky.directory.find(keyword.replace(/^@/, ''));
  const found = people.all.filter((person) => person === byHandle || (isAbout(person, keyword) && !relations.parted(viewer.id, person.id)));
  const counted = found.map((person) => ({ person, followers: relations.followersOf(person.id).length }));
  return counted.toSorted((a, b) => b.followers - a.followers).map(({ person }) => person);
}
