import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { WorldPerson } from '../../world/world.ts';
import type { Bluesky } from '../core.ts';
import { findList, listsOf, membersOf, toList, type ListMember } from '../view/list.ts';
import { lookOf, requireActor, type Look } from '../view/look.ts';
import { knownFollowersOf, toProfile } from '../view/profile.ts';
import { query, type Endpoints, type SignedCall } from '../xrpc/endpoint.ts';
import { Actor, AtUri, many, one, paging } from '../xrpc/params.ts';
import { cutPage, type Asked } from '../xrpc/paging.ts';
import { invalidRequest } from '../xrpc/refusal.ts';

const MOST_OTHERS = 30;
const ofActor = { actor: one(Actor), ...paging() };
const purposes = many(z.enum(['modlist', 'curatelist'])).optional();

/** `app.bsky.graph`: who is with whom, and lists of people. */
export function graphEndpoints(bluesky: Bluesky): Endpoints {
  /** A page of people under the name that the method gives them. */
  function people(name: string, ids: readonly string[], asked: Asked, look: Look): JsonObject {
    const all = ids.flatMap((id) => look.moment.people.find(id) ?? []);
    const { items, cursor } = cutPage(all, asked, { idOf: ({ id }) => id, fault: look.call.fault });
    return { cursor, [name]: items.map((person) => toProfile(person, look)) };
  }

  function around(
    name: string,
    call: SignedCall,
    { actor, ...asked }: Asked & { readonly actor: string },
    idsOf: (person: WorldPerson, look: Look) => readonly string[],
  ): JsonObject {
    const look = lookOf(bluesky, call);
    const person = requireActor(look, actor);
    const { relations } = look.moment;
    const ids = idsOf(person, look).filter((id) => !relations.parted(look.viewer.id, id));
    return { subject: toProfile(person, look), ...people(name, ids, asked, look) };
  }

  function toMember({ uri, person }: ListMember, look: Look): JsonObject {
    return { uri, subject: toProfile(person, look) };
  }

  return {
    'app.bsky.graph.getFollowers': query(z.object(ofActor), (given, call) =>
      around('followers', call, given, ({ id }, { moment }) => moment.relations.followersOf(id)),
    ),

    'app.bsky.graph.getFollows': query(z.object(ofActor), (given, call) =>
      around('follows', call, given, ({ id }, { moment }) => moment.relations.followingsOf(id)),
    ),

    'app.bsky.graph.getKnownFollowers': query(z.object(ofActor), (given, call) =>
      around('followers', call, given, (person, look) => knownFollowersOf(person, look).map(({ id }) => id)),
    ),

    'app.bsky.graph.getBlocks': query(z.object(paging()), (asked, call) => {
      const look = lookOf(bluesky, call);
      return people('blocks', look.moment.relations.blockedBy(look.viewer.id), asked, look);
    }),

    'app.bsky.graph.getRelationships': query(
      z.object({ actor: one(Actor), others: many(Actor, MOST_OTHERS).default([]) }),
      ({ actor, others }, call) => {
        const person = bluesky.directory.find(actor);
        if (!person) throw invalidRequest('Actor not found', 'ActorNotFound');
        return {
          actor: bluesky.directory.didOf(person),
          relationships: others.map((other) => relationship(person, other, lookOf(bluesky, call))),
        };
      },
    ),

    'app.bsky.graph.getLists': query(z.object({ ...ofActor, purposes }), ({ actor, purposes: wanted, ...asked }, call) => {
      const look = lookOf(bluesky, call);
      const lists = listsOf(requireActor(look, actor), look).filter(({ record }) => isOfPurpose(record, wanted));
      const { items, cursor } = cutPage(lists, asked, { idOf: ({ uri }) => uri, fault: call.fault });
      return { cursor, lists: items.map((list) => toList(list, look)) };
    }),

    'app.bsky.graph.getList': query(z.object({ list: one(AtUri), ...paging() }), ({ list: uri, ...asked }, call) => {
      const look = lookOf(bluesky, call);
      const list = findList(uri, look);
      if (!list) throw invalidRequest(`List not found: ${uri}`);
      const { items, cursor } = cutPage(membersOf(list, look), asked, { idOf: (member) => member.uri, fault: call.fault });
      return { cursor, list: toList(list, look), items: items.map((member) => toMember(member, look)) };
    }),

    'app.bsky.graph.getListsWithMembership': query(z.object({ ...ofActor, purposes }), ({ actor, purposes: wanted, ...asked }, call) => {
      const look = lookOf(bluesky, call);
      const person = requireActor(look, actor);
      const lists = listsOf(look.viewer, look).filter(({ record }) => isOfPurpose(record, wanted));
      const { items, cursor } = cutPage(lists, asked, { idOf: ({ uri }) => uri, fault: call.fault });
      const listsWithMembership = items.map((list) => {
        const member = membersOf(list, look).find((one) => one.person.id === person.id);
        return { list: toList(list, look), listItem: member && toMember(member, look) };
      });
      return { cursor, listsWithMembership };
    }),
  };
}

function isOfPurpose({ purpose }: JsonObject, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.some((one) => purpose === `app.bsky.graph.defs#${one}`);
}

function relationship(person: WorldPerson, actor: string, { bluesky, moment }: Look): JsonObject {
  const other = bluesky.directory.find(actor);
  if (!other) return { $type: 'app.bsky.graph.defs#notFoundActor', actor, notFound: true };
  const { relations } = moment;
  const { graph, directory } = bluesky;
  return {
    $type: 'app.bsky.graph.defs#relationship',
    did: directory.didOf(other),
    following: relations.follows(person.id, other.id) ? graph.ofRelation('follow', person, other).uri : undefined,
    followedBy: relations.follows(other.id, person.id) ? graph.ofRelation('follow', other, person).uri : undefined,
    blocking: relations.blocks(person.id, other.id) ? graph.ofRelation('block', person, other).uri : undefined,
    blockedBy: relations.blocks(other.id, person.id) ? graph.ofRelation('block', other, person).uri : undefined,
  };
}
