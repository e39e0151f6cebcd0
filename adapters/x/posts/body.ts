import { UnsupportedParameter, ValidationError } from '#src/errors.ts';
import { withoutHandlesOfOthers } from '#src/operation/text/handles-of-others.ts';
import type { Primitives } from '../api.ts';
import { postIdOf } from './post-id.ts';

/** What a post is made from. */
export type Draft = Parameters<Primitives['createPost']>[0];

const REPLY_SETTINGS = {
  ByInvitation: 'mentionedUsers',
  Community: 'following',
  Subscribers: 'subscribers',
  Verified: 'verified',
} as const;

/** The draft as X takes it; `mediaIds` are its files, uploaded. */
export function bodyOf(draft: Draft, mediaIds: readonly string[]): object {
  const { text, filter, replyTo, quote, poll, place, community, postOnTimeline } = draft;
  return {
    ...(text !== '' && { text: withoutHandlesOfOthers(text) }),
    ...(mediaIds.length > 0 && { media: { media_ids: mediaIds } }),
    ...(poll && { poll: { options: poll.options, duration_minutes: poll.durationMinutes } }),
    ...(replyTo !== undefined && { reply: { in_reply_to_tweet_id: postIdOf(replyTo) } }),
    ...(quote !== undefined && { quote_tweet_id: postIdOf(quote) }),
    ...(filter && { reply_settings: replySettingsOf(filter) }),
    ...(place !== undefined && { geo: { place_id: place } }),
    ...(community !== undefined && { community_id: community, share_with_followers: postOnTimeline }),
  };
}

function replySettingsOf(filter: NonNullable<Draft['filter']>): string {
  if (filter === 'Followers' || filter === 'Nobody') {
    throw new UnsupportedParameter({
      platform: 'x',
      operation: 'createPost',
      parameter: 'filter',
      value: filter,
      reason: 'NO_FEATURE',
      alternatives: Object.keys(REPLY_SETTINGS),
    });
  }
  return REPLY_SETTINGS[filter];
}

/** Refuses what X would and no table tells, before anything is uploaded. */
export function assertTaken({ text, files = [], poll, quote }: Draft): void {
  if (text.trim() === '' && files.length === 0 && !poll) {
    throw new ValidationError('createPost: text: a post without files has to say something', { path: 'text' });
  }
  if (poll && quote !== undefined) throw new ValidationError('createPost: poll: X takes no quote beside a poll', { path: 'poll' });
}
