import type * as assistant from '#src/clients/social/assistant.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';
import { toPost } from '../records.ts';
import type { SocialRequest } from '../request.ts';
import { listsOperations, toUserList } from './lists.ts';
import { messagesOperations, toMessage } from './messages.ts';
import { insightOperations, postsOperations, scheduleOperations, toScheduled, toUploaded } from './posts.ts';
import { reactionsOperations } from './reactions.ts';
import { responsesOperations, searchOperations, timelinesOperations, topicsOperations } from './timelines.ts';
import { communitiesOperations, followsOperations, usersOperations } from './users.ts';

/** Every declared operation of a platform for one request. */
export function socialOperations(request: SocialRequest): Required<Omit<SocialPlatform['operations'], keyof typeof assistant>> {
  return {
    ...usersOperations(request),
    ...followsOperations(request),
    ...searchOperations(request),
    ...timelinesOperations(request),
    ...topicsOperations(request),
    ...communitiesOperations(request),
    ...listsOperations(request),
    ...postsOperations(request),
    ...scheduleOperations(request),
    ...reactionsOperations(request),
    ...responsesOperations(request),
    ...insightOperations(request),
    ...messagesOperations(request),
  };
}

type FindByKey = (key: string, request: SocialRequest) => object | undefined;

/** For each operation that creates something: the record that an earlier request with the same idempotency key created. */
export const findByKey: Readonly<Record<string, FindByKey>> = {
  createPost: found(
    (key, { written, viewer }) => written.findByKey({ authorId: viewer.id, key, scheduled: false }),
    (post, { snapshot }) => toPost(post, snapshot),
  ),
  createScheduledPost: found((key, { written, viewer }) => written.findByKey({ authorId: viewer.id, key, scheduled: true }), toScheduled),
  uploadMedia: found((key, { uploads, viewer }) => uploads.findByKey(viewer.id, key), toUploaded),
  sendMessage: found((key, { directMessages, viewer }) => directMessages.findByKey(viewer.id, key), toMessage),
  createList: found((key, { lists, viewer }) => lists.findByKey(viewer.id, key), toUserList),
};

function found<T>(
  find: (key: string, request: SocialRequest) => T | undefined,
  toRecord: (value: T, request: SocialRequest) => object,
): FindByKey {
  return (key, request) => {
    const value = find(key, request);
    return value && toRecord(value, request);
  };
}
