import type { JsonObject } from '#src/clients/operation/json.ts';
import { postsOf } from '../social/records.ts';
import type { WorldPerson } from '../world/world.ts';
import { DRAWN } from './blobs.ts';
import { profileRecord, relationUri } from './post-records.ts';
import { textAt, valueAt } from './records.ts';
import type { SignedInRequest } from './request.ts';

/** People with this many followers are verified. */
const VERIFIED_FOLLOWERS = 20_000;
const ASSOCIATED = { chat: { allowIncoming: 'all' }, activitySubscription: { allowSubscriptions: 'followers' } };

/** A person inside another answer. */
export function toBasicProfile(person: WorldPerson, request: SignedInRequest): JsonObject {
  const { directory } = request.state;
  const did = directory.didOf(person);
  const { record } = profileRecord(person, request.state);
  return {
    did,
    handle: directory.handleOf(person),
    displayName: textAt(record, 'displayName') ?? '',
    avatar: pictureUrl('avatar', did, DRAWN, request),
    associated: ASSOCIATED,
    viewer: viewerOf(person, request),
    createdAt: person.createdAt.toISOString(),
    ...(person.followerCount >= VERIFIED_FOLLOWERS && {
      verification: { verifications: [], verifiedStatus: 'valid', trustedVerifierStatus: 'none' },
    }),
  };
}

/** A person in a list of people. */
export function toProfile(person: WorldPerson, request: SignedInRequest): JsonObject {
  const description = textAt(profileRecord(person, request.state).record, 'description');
  return { ...toBasicProfile(person, request), description, indexedAt: person.createdAt.toISOString() };
}

/** A person on the page of their profile. */
export function toDetailedProfile(person: WorldPerson, request: SignedInRequest): JsonObject {
  const { state, snapshot } = request;
  return {
    ...toProfile(person, request),
    followersCount: snapshot.relations.followersOf(person.id).length,
    followsCount: snapshot.relations.followingsOf(person.id).length,
    postsCount: postsOf(person, snapshot).length,
    pinnedPost: valueAt(profileRecord(person, state).record, 'pinnedPost'),
  };
}

function viewerOf(person: WorldPerson, { state, viewer, snapshot: { relations } }: SignedInRequest): JsonObject {
  if (person.id === viewer.id) return { muted: false, blockedBy: false };
  return {
    muted: false,
    blockedBy: relations.blocks(person.id, viewer.id),
    ...(relations.blocks(viewer.id, person.id) && { blocking: relationUri('block', viewer, person, state) }),
    ...(relations.follows(viewer.id, person.id) && { following: relationUri('follow', viewer, person, state) }),
    ...(relations.follows(person.id, viewer.id) && { followedBy: relationUri('follow', person, viewer, state) }),
    ...(relations.notifiedSinceMs(viewer.id, person.id) !== undefined && { activitySubscription: { post: true, reply: false } }),
  };
}

/** The address of a picture. */
export function pictureUrl(kind: string, did: string, cid: string, { pictures }: SignedInRequest): string {
  return `${pictures}/${kind}/plain/${did}/${cid}@jpeg`;
}
