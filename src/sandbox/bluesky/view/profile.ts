import type { JsonObject } from '#src/operation/json.ts';
import { postsOf } from '../../social/user-record.ts';
import type { WorldPerson } from '../../world/world.ts';
import { toAtUri } from '../data/at-uri.ts';
import { derivedKey } from '../repo/derived.ts';
import { textAt, valueAt } from '../repo/references.ts';
import { PROFILE } from '../repo/unwritten.ts';
import { selfLabels } from './labels.ts';
import type { Look } from './look.ts';
import { hears, incomingOf, subscribersOf } from './declarations.ts';

/** Who has so many followers elsewhere is known to be who they say. */
const LEAST_VERIFIED = 20_000;
const LIST = 'app.bsky.graph.list';
const MOST_KNOWN = 5;
/** Who says of somebody that they are who they say. */
const VERIFIER = 'did:plc:z72i7hdynmk6r22z27h6tvur';

/** Somebody inside another answer. */
export function toBasicProfile(person: WorldPerson, look: Look): JsonObject {
  const { directory, unwritten, repositories } = look.bluesky;
  const did = directory.didOf(person);
  const profile = repositories.find(did, PROFILE, 'self') ?? unwritten.find(did, PROFILE, 'self');
  return {
    did,
    handle: directory.handleOf(person),
    displayName: textAt(profile?.record, 'displayName') ?? '',
    avatar: pictureOf(look, did, textAt(profile?.record, 'avatar', 'ref', '$link')),
    associated: associatedOf(person, look),
    viewer: viewerOf(person, look),
    labels: profile ? selfLabels(profile, { did, atMs: person.createdAt.getTime() }) : [],
    createdAt: person.createdAt.toISOString(),
    ...(person.followerCount >= LEAST_VERIFIED && { verification: verificationOf(person) }),
  };
}

/** Somebody in a list of people. */
export function toProfile(person: WorldPerson, look: Look): JsonObject {
  return { ...toBasicProfile(person, look), description: descriptionOf(person, look), indexedAt: person.createdAt.toISOString() };
}

/** Somebody as their own page shows them. */
export function toDetailedProfile(person: WorldPerson, look: Look): JsonObject {
  const { bluesky, moment } = look;
  const did = bluesky.directory.didOf(person);
  const own = bluesky.repositories.find(did, PROFILE, 'self');
  const basic = toBasicProfile(person, look);
  const lists = bluesky.repositories.all(did, LIST).length;
  return {
    ...basic,
    associated: { ...associatedOf(person, look), lists, feedgens: 0, starterPacks: 0, labeler: false },
    description: descriptionOf(person, look),
    indexedAt: person.createdAt.toISOString(),
    banner: bannerOf(look, did, textAt(own?.record, 'banner', 'ref', '$link')),
    followersCount: moment.relations.followersOf(person.id).length,
    followsCount: moment.relations.followingsOf(person.id).length,
    postsCount: postsOf(person, moment).length,
    pinnedPost: valueAt(own?.record, 'pinnedPost'),
  };
}

/** The people among somebody's followers whom the viewer follows, the latest follower first. */
export function knownFollowersOf(person: WorldPerson, { moment, viewer }: Look): readonly WorldPerson[] {
  const { relations, people } = moment;
  const known = relations.followersOf(person.id).filter((id) => relations.follows(viewer.id, id));
  return known.flatMap((id) => people.find(id) ?? []);
}

function associatedOf(person: WorldPerson, look: Look): JsonObject {
  return { chat: { allowIncoming: incomingOf(look, person) }, activitySubscription: { allowSubscriptions: subscribersOf(look, person) } };
}

function viewerOf(person: WorldPerson, look: Look): JsonObject | undefined {
  const { bluesky, moment, viewer } = look;
  const { relations } = moment;
  if (person.id === viewer.id) return { muted: false, blockedBy: false };
  const isParted = relations.parted(viewer.id, person.id);
  const subscription = bluesky.subscriptions.find(viewer.id, person.id);
  return {
    muted: false,
    blockedBy: relations.blocks(person.id, viewer.id),
    ...(relations.blocks(viewer.id, person.id) && { blocking: bluesky.graph.ofRelation('block', viewer, person).uri }),
    ...(relations.follows(viewer.id, person.id) && { following: bluesky.graph.ofRelation('follow', viewer, person).uri }),
    ...(relations.follows(person.id, viewer.id) && { followedBy: bluesky.graph.ofRelation('follow', person, viewer).uri }),
    ...(!isParted && knownTo(person, look)),
    ...(subscription && hears(look, person) && { activitySubscription: { post: subscription.post, reply: subscription.reply } }),
  };
}

function knownTo(person: WorldPerson, look: Look): JsonObject {
  const known = knownFollowersOf(person, look);
  if (known.length === 0) return {};
  const { directory } = look.bluesky;
  const shown = known
    .slice(0, MOST_KNOWN)
    .map((one) => ({ did: directory.didOf(one), handle: directory.handleOf(one), displayName: one.displayName }));
  return { knownFollowers: { count: known.length, followers: shown } };
}

function descriptionOf(person: WorldPerson, { bluesky: { directory, repositories } }: Look): string | undefined {
  const own = repositories.find(directory.didOf(person), PROFILE, 'self');
  return own ? textAt(own.record, 'description') : person.bio;
}

/** A picture that was uploaded, or one that is drawn. */
function pictureOf({ url }: Look, did: string, cid: string | undefined): string {
  return `${url}/img/avatar/plain/${did}/${cid ?? 'drawn'}@jpeg`;
}

function bannerOf({ url }: Look, did: string, cid: string | undefined): string | undefined {
  return cid === undefined ? undefined : `${url}/img/banner/plain/${did}/${cid}@jpeg`;
}

function verificationOf(person: WorldPerson): JsonObject {
  const rkey = derivedKey(`verification ${person.id}`, person.createdAt.getTime());
  const uri = toAtUri({ repo: VERIFIER, collection: 'app.bsky.graph.verification', rkey });
  return {
    verifications: [{ issuer: VERIFIER, uri, isValid: true, createdAt: person.createdAt.toISOString() }],
    verifiedStatus: 'valid',
    trustedVerifierStatus: 'none',
  };
}
