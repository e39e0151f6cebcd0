import { z } from 'zod';
import type { Person } from '#src/operation/record.ts';
import type { User } from '#src/social/records/user.ts';
import { isDid, NO_HANDLE, profileUrl } from '../addresses.ts';
import { PLATFORM } from '../errors.ts';
import { flag, maybe, maybeCount, maybeInstant, maybeText } from './parts.ts';

const Viewer = z.object({
  blocking: maybeText,
  following: maybeText,
  followedBy: maybeText,
  blockedBy: flag,
  activitySubscription: maybe(z.object({ post: flag, reply: flag })),
});

const Associated = z.object({
  chat: maybe(z.object({ allowIncoming: maybeText })),
  activitySubscription: maybe(z.object({ allowSubscriptions: maybeText })),
});

/** A user in any view. */
export const Profile = z.object({
  did: z.string().refine(isDid),
  handle: z.string(),
  displayName: maybeText,
  description: maybeText,
  avatar: maybeText,
  banner: maybeText,
  website: maybeText,
  followersCount: maybeCount,
  followsCount: maybeCount,
  postsCount: maybeCount,
  createdAt: maybeInstant,
  pinnedPost: maybe(z.object({ uri: z.string() })),
  viewer: maybe(Viewer),
  associated: maybe(Associated),
  verification: maybe(z.object({ verifiedStatus: maybeText, trustedVerifierStatus: maybeText })),
});
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
