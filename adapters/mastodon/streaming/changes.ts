import type { Change } from '#src/clients/operation/notifier.ts';
import type { StreamMessage } from './read-message.ts';
import { isFollowing, OF_USERS, tagOf, type WatchedStreams } from './streams.ts';

/** A deletion names only the post, so the authors of recent posts are kept. */
const RECENT = 5_000;

/** The events that Fanfare understands, as metrics count them. */
export const KNOWN_EVENTS: ReadonlySet<string> = new Set(['update', 'status.update', 'delete', 'notification', 'conversation']);

type StreamEvent = Extract<StreamMessage, { readonly kind: 'event' }>;

/** Finds the queries that an event may have changed. */
export function createChanges(): (event: StreamEvent, watched: WatchedStreams) => readonly Change[] {
  const authors = new Map<string, string>();

  function authorOf({ payload: { id, accountId } }: StreamEvent): string | undefined {
    if (id === undefined || accountId === undefined) return accountId ?? authors.get(id ?? '');
    authors.set(id, accountId);
    const [oldest] = authors.keys();
    if (authors.size > RECENT && oldest !== undefined) authors.delete(oldest);
    return accountId;
  }

  return (message, watched) => {
    switch (message.event) {
      case 'update':
      case 'status.update':
      case 'delete':
        return [...changesOfStream(message, watched), ...changesOfUser(authorOf(message), watched)];
      case 'notification':
        if (message.payload.type === 'mention') return [{ operation: 'getMentions' }];
        if (message.payload.type !== 'status') return [];
        return [{ operation: 'getPostNotifications' }, ...changesOfUser(message.payload.accountId, watched)];
      case 'conversation':
        return [{ operation: 'getInbox' }];
      default:
        return [];
    }
  };
}

function changesOfUser(accountId: string | undefined, { usersById }: WatchedStreams): readonly Change[] {
  const names = usersById.get(accountId ?? '') ?? [];
  return names.length === 0 ? [] : OF_USERS.map((operation) => ({ operation, names }));
}

function changesOfStream({ stream }: StreamEvent, { covered, lists, tags }: WatchedStreams): readonly Change[] {
  const home = { operation: 'getHomeTimeline', names: covered.get('getHomeTimeline')?.filter(isFollowing) ?? [] };
  // A server that does not state the stream may mean each of them.
  if (stream === undefined) return [home, { operation: 'getListPosts' }, { operation: 'getTopicPosts' }];
  const [kind, name = ''] = stream.split(' ');
  if (kind === 'list') return [{ operation: 'getListPosts', names: lists.get(name) ?? [] }];
  if (kind === 'hashtag') return [{ operation: 'getTopicPosts', names: tags.get(tagOf(name)) ?? [] }];
  return kind === 'user' ? [home] : [];
}
