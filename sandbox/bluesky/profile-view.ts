import type { JsonObject } from '#src/operation/json.ts';
import { postsOf } from '../social/records.ts';
import type { WorldPerson } from '../world/world.ts';
import { toAtUri } from './at-uri.ts';
import { PROFILE } from './generated-records.ts';
import { derivedKey, textAt, valueAt } from './records.ts';
import { type BlueskyView, selfLabels } from './view.ts';

/** Who may begin a conversation with somebody. */
export function incomingOf(view: BlueskyView, person: WorldPerson): string {
  return declared(view, person, { collection: 'chat.bsky.actor.declaration', key: 'allowIncoming' }) ?? 'following';
}

/** Who may hear of what somebody writes. */
function subscribersOf(view: BlueskyView, person: WorldPerson): string {
  return declared(view, person, { collection: 'app.bsky.notification.declaration', key: 'allowSubscriptions' }) ?? 'followers';
}

/** Whether somebody lets the viewer hear of what they write. */
export function hears(view: BlueskyView, person: WorldPerson): boolean {
  const { relations } = view.snapshot;
  const isFollower = relations.follows(view.viewer.id, person.id);
  switch (subscribersOf(view, person)) {
    case 'followers':
      return isFollower;
    case 'mutuals':
      return isFollower && relations.follows(person.id, view.viewer.id);
    default:
      return false;
  }
}

interface Declared {
  readonly collection: string;
  readonly key: string;
}

function declared({ bluesky }: BlueskyView, person: WorldPerson, { collection, key }: Declared): string | undefined {
  const did = bluesky.directory.didOf(person);
  const row = bluesky.repositories.find(did, collection, 'self') ?? bluesky.generated.find(did, collection, 'self');
  return textAt(row?.record, key);
}

/** People with this many followers are verified. */
const LEAST_VERIFIED = 20_000;
const LIST = 'app.bsky.graph.list';
const MOST_KNOWN = 5;
/** The issuer of verifications. */
const VERIFIER = 'did:plc:z72i7hdynmk6r22z27h6tvur';

/** Somebody inside another answer. */
export function toBasicProfile(person: WorldPerson, view: BlueskyView): JsonObject {
  const { directory, generated, repositories } = view.bluesky;
  const did = directory.didOf(person);
  const profile = repositories.find(did, PROFILE, 'self') ?? generated.find(did, PROFILE, 'self');
  return {
    did,
    handle: directory.handleOf(person),
    displayName: textAt(profile?.record, 'displayName') ?? '',
    avatar: pictureOf(view, did, textAt(profile?.record, 'avatar', 'ref', '$link')),
    associated: associatedOf(person, view),
    viewer: viewerOf(person, view),
    labels: profile ? selfLabels(profile, { did, atMs: person.createdAt.getTime() }) : [],
    createdAt: person.createdAt.toISOString(),
    ...(person.followerCount >= LEAST_VERIFIED && { verification: verificationOf(person) }),
  };
}

/** Somebody in a list of people. */
export function toProfile(person: WorldPerson, view: BlueskyView): JsonObject {
  return { ...toBasicProfile(person, view), description: descriptionOf(person, view), indexedAt: person.createdAt.toISOString() };
}

/** Somebody as their own page shows them. */
export function toDetailedProfile(person: WorldPerson, view: BlueskyView): JsonObject {
  const { bluesky, snapshot } = view;
  const did = bluesky.directory.didOf(person);
  const stored = bluesky.repositories.find(did, PROFILE, 'self');
  const basic = toBasicProfile(person, view);
  const lists = bluesky.repositories.all(did, LIST).length;
  return {
    ...basic,
    associated: { ...associatedOf(person, view), lists, feedgens: 0, starterPacks: 0, labeler: false },
    description: descriptionOf(person, view),
    indexedAt: person.createdAt.toISOString(),
    banner: bannerOf(view, did, textAt(stored?.record, 'banner', 'ref', '$link')),
    followersCount: snapshot.relations.followersOf(person.id).length,
    followsCount: snapshot.relations.followingsOf(person.id).length,
    postsCount: postsOf(person, snapshot).length,
    pinnedPost: valueAt(stored?.record, 'pinnedPost'),
  };
}

/** The people among somebody's followers whom the viewer follows, the latest follower first. */
export function knownFollowersOf(person: WorldPerson, { snapshot, viewer }: BlueskyView): readonly WorldPerson[] {
  const { relations, people } = snapshot;
  const known = relations.followersOf(person.id).filter((id) => relations.follows(viewer.id, id));
  return known.flatMap((id) => people.find(id) ?? []);
}

function associatedOf(person: WorldPerson, view: BlueskyView): JsonObject {
  return { chat: { allowIncoming: incomingOf(view, person) }, activitySubscription: { allowSubscriptions: subscribersOf(view, person) } };
}

function viewerOf(person: WorldPerson, view: BlueskyView): JsonObject | undefined {
  const { bluesky, snapshot, viewer } = view;
  const { relations } = snapshot;
  if (person.id === viewer.id) return { muted: false, blockedBy: false };
  const isParted = relations.parted(viewer.id, person.id);
  const subscription = bluesky.subscriptions.find(viewer.id, person.id);
  return {
    muted: false,
    blockedBy: relations.blocks(person.id, viewer.id),
    ...(relations.blocks(viewer.id, person.id) && { blocking: bluesky.graph.ofRelation('block', viewer, person).uri }),
    ...(relations.follows(viewer.id, person.id) && { following: bluesky.graph.ofRelation('follow', viewer, person).uri }),
    ...(relations.follows(person.id, viewer.id) && { followedBy: bluesky.graph.ofRelation('follow', person, viewer).uri }),
    ...(!isParted && knownTo(person, view)),
    ...(subscription && hears(view, person) && { activitySubscription: { post: subscription.post, reply: subscription.reply } }),
  };
}

function knownTo(person: WorldPerson, view: BlueskyView): JsonObject {
  const known = knownFollowersOf(person, view);
  if (known.length === 0) return {};
  const { directory } = view.bluesky;
  const shown = known
    .slice(0, MOST_KNOWN)
    .map((one) => ({ did: directory.didOf(one), handle: directory.handleOf(one), displayName: one.displayName }));
  return { knownFollowers: { count: known.length, followers: shown } };
}

function descriptionOf(person: WorldPerson, { bluesky: { directory, repositories } }: BlueskyView): string | undefined {
  const stored = repositories.find(directory.didOf(person), PROFILE, 'self');
  return stored ? textAt(stored.record, 'description') : person.bio;
}

/** A picture that was uploaded, or one that is drawn. */
function pictureOf({ url }: BlueskyView, did: string, cid: string | undefined): string {
  return `${url}/img/avatar/plain/${did}/${cid ?? 'drawn'}@jpeg`;
}

function bannerOf({ url }: BlueskyView, did: string, cid: string | undefined): string | undefined {
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
