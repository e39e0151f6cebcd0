import type { z } from 'zod';
import { countIn, filledIn, flagIn, instantIn, needed, objectIn, rowOf, textIn, type WireObject } from '#src/http/values.ts';
import type { Person } from '#src/clients/operation/record.ts';
import type { User } from '#src/clients/social/records/user.ts';
import { isDid, NO_HANDLE, profileUrl } from '../addresses.ts';
import { PLATFORM } from '../errors.ts';

function viewerIn(wire: unknown) {
  const viewer = objectIn(wire);
  const subscription = objectIn(viewer?.['activitySubscription']);
  return (
    viewer && {
      blocking: filledIn(viewer['blocking']),
      following: filledIn(viewer['following']),
      followedBy: filledIn(viewer['followedBy']),
      blockedBy: flagIn(viewer['blockedBy']) ?? false,
      activitySubscription: subscription && { post: flagIn(subscription['post']) ?? false, reply: flagIn(subscription['reply']) ?? false },
    }
  );
}

function associatedIn(wire: unknown) {
  const associated = objectIn(wire);
  const chat = objectIn(associated?.['chat']);
  const subscription = objectIn(associated?.['activitySubscription']);
  return (
    associated && {
      chat: chat && { allowIncoming: filledIn(chat['allowIncoming']) },
      activitySubscription: subscription && { allowSubscriptions: filledIn(subscription['allowSubscriptions']) },
    }
  );
}

function pinnedIn(wire: unknown) {
  const uri = textIn(objectIn(wire)?.['uri']);
  return uri === undefined ? undefined : { uri };
}

function verificationIn(wire: unknown) {
  const found = objectIn(wire);
  return found && { verifiedStatus: filledIn(found['verifiedStatus']), trustedVerifierStatus: filledIn(found['trustedVerifierStatus']) };
}

/** The DID; undefined for any other value. */
function didIn(wire: unknown): string | undefined {
  return typeof wire === 'string' && isDid(wire) ? wire : undefined;
}

/** Reads a user in any view. */
export function readProfile(profile: WireObject) {
  return {
    did: needed(didIn(profile['did']), 'did'),
    handle: needed(textIn(profile['handle']), 'handle'),
    displayName: filledIn(profile['displayName']),
    description: filledIn(profile['description']),
    avatar: filledIn(profile['avatar']),
    banner: filledIn(profile['banner']),
    website: filledIn(profile['website']),
    followersCount: countIn(profile['followersCount']),
    followsCount: countIn(profile['followsCount']),
    postsCount: countIn(profile['postsCount']),
    createdAt: instantIn(profile['createdAt']),
    pinnedPost: pinnedIn(profile['pinnedPost']),
    viewer: viewerIn(profile['viewer']),
    associated: associatedIn(profile['associated']),
    verification: verificationIn(profile['verification']),
  };
}

/** A user in any view. */
export const Profile = rowOf(readProfile);
export type Profile = z.output<typeof Profile>;

/** A user inside another record. */
export function toPerson({ did, handle, displayName = handle }: Pick<Profile, 'did' | 'handle' | 'displayName'>): Person {
  return { platform: PLATFORM, id: did, url: profileUrl({ did, handle }), handle, displayName };
}

export function toUser(profile: Profile, fetchedAt: Date): User {
  const { viewer } = profile;
  return {
    ...toPerson(profile),
    bio: profile.description,
    avatarUrl: profile.avatar,
    bannerUrl: profile.banner,
    createdAt: profile.createdAt,
    followerCount: profile.followersCount,
    followingCount: profile.followsCount,
    postCount: profile.postsCount,
    verified: verifiedOf(profile),
    websiteUrl: profile.website,
    pinnedPostIds: profile.pinnedPost && [profile.pinnedPost.uri],
    viewer: viewer && {
      following: viewer.following !== undefined,
      followedBy: viewer.followedBy !== undefined,
      blocking: viewer.blocking !== undefined,
      notifying: viewer.activitySubscription?.post ?? false,
      canDm: canDm(profile),
    },
    fetchedAt,
  };
}

function verifiedOf({ handle, verification }: Profile): User['verified'] {
  if (verification?.verifiedStatus === 'valid' || verification?.trustedVerifierStatus === 'valid') return 'blue';
  return handle === NO_HANDLE || handle.endsWith('.bsky.social') ? 'none' : 'domain';
}

/** Whether the account may send messages to the user; the default allows them to users whom they follow. */
function canDm({ viewer, associated }: Profile): boolean {
  if (viewer?.blockedBy || viewer?.blocking !== undefined) return false;
  const allowed = associated?.chat?.allowIncoming ?? 'following';
  return allowed === 'all' || (allowed === 'following' && viewer?.followedBy !== undefined);
}
