import type { ChatPlatform } from '#src/clients/chat/chat.ts';
import type { Thread } from '#src/clients/chat/records.ts';
import { findLost } from '#src/clients/operation/find-lost.ts';
import type { RecoverOptions, Recovery } from '#src/clients/operation/platform.ts';
import type { Parent } from '../channels.ts';
import { codeOf, CODES } from '../errors.ts';
import { createdAtMs } from '../history.ts';
import { type Server, toNonce, write } from '../server.ts';
import { parseMessageId, toThread, WireThread, WithThread } from '../wire/message.ts';
import { beginPost, refuseHeading, titleOf } from './forum-posts.ts';
import { findSent, historyIn } from './recovery.ts';
import { opening, refinding } from './retry-on-gone.ts';

type Start = NonNullable<ChatPlatform['operations']['thread']>;
type Wanted = Parameters<Start>[0];
type Recover = NonNullable<NonNullable<ChatPlatform['recover']>['thread']>;

/** New threads. */
export function threads(server: Server): {
  readonly operations: { readonly thread: Start };
  readonly recover: { readonly thread: Recover };
} {
  const { api, guildId, channels, history } = server;

  /** Starts a thread on a message, or returns its existing thread. */
  async function startOn(message: string, name: string, signal?: AbortSignal): Promise<WireThread> {
    const { path, channelId } = parseMessageId(message, 'message');
    try {
      const begin = (): Promise<WireThread> =>
        api({ method: 'POST', path: `${path}/threads`, body: { name: titleOf({ title: name }) }, answer: WireThread, signal });
      return await opening(server, channelId, begin, signal);
    } catch (error) {
      const there = codeOf(error) === CODES.threadExists ? await threadOn(message, signal) : undefined;
      if (!there) throw error;
      return there;
    }
  }

  async function threadOn(message: string, signal?: AbortSignal): Promise<WireThread | undefined> {
    const { path } = parseMessageId(message, 'message');
    return (await api({ method: 'GET', path, answer: WithThread, signal })).thread ?? undefined;
  }

  /** A thread, and whether it has its first message. */
  async function startIn(channel: string, { name, content, tags }: Wanted, signal?: AbortSignal): Promise<readonly [WireThread, boolean]> {
    const find = (): Promise<Parent> => channels.forThread(channel, signal);
    return refinding(channels, find, async ({ threadType, ...target }) => {
      if (target.forum) return [(await beginPost(server, target, { title: name, tags, content: content ?? name }, signal)).thread, true];
      refuseHeading(target, { tags });
      const body = { name: titleOf({ title: name }), type: threadType };
      return [await api({ method: 'POST', path: `/channels/${target.id}/threads`, body, answer: WireThread, signal }), false];
    });
  }

  /** Finds the thread of a lost attempt by its message, or by its name and the bot. */
  async function find({ message, channel, name }: Wanted, { since, taken, signal }: RecoverOptions): Promise<Recovery<WireThread>> {
    if (message !== undefined) {
      const found = await threadOn(message, signal);
      return found ? { found } : 'absent';
    }
    const { id } = await channels.forThread(channel ?? '', signal);
    const [botId, titled] = [await history.botId(signal), titleOf({ title: name })];
    const there = await channels.threadsOf(id, signal);
    const alike = there.filter((one) => one.name === titled && one.owner_id === botId && !taken.has(one.id));
    return findLost(alike.toReversed(), { since, madeAt: (one) => new Date(createdAtMs(one.id)) });
  }

  /** Sends the missing first message of a thread. */
  async function finish(thread: WireThread, wanted: Wanted, { key, since, signal }: RecoverOptions): Promise<Recovery<Thread>> {
    const nonce = toNonce(key);
    const inForum = wanted.channel !== undefined && (await channels.forThread(wanted.channel, signal)).forum;
    if (wanted.content !== undefined && !inForum) {
      const inThread = await historyIn(server, thread.id, signal);
      const first = await findSent({ nonce, content: wanted.content, since, taken: new Set() }, inThread);
      if (first === 'cannotTell') return first;
      if (first === 'absent') await write(server, thread.id, { content: wanted.content, nonce }, signal);
    }
    return { found: toThread(thread, guildId) };
  }

  return {
    operations: {
      async thread(wanted, { key, signal }) {
        const { message, channel = '', name, content } = wanted;
        const [thread, isComplete] =
          message === undefined ? await startIn(channel, wanted, signal) : [await startOn(message, name, signal), false];
        if (content !== undefined && !isComplete) {
          await write(server, thread.id, { content, nonce: key === undefined ? undefined : toNonce(key) }, signal);
        }
        return toThread(thread, guildId);
      },
    },

    recover: {
      async thread(wanted, options) {
        const recovery = await find(wanted, options);
        return typeof recovery === 'object' ? finish(recovery.found, wanted, options) : recovery;
      },
    },
  };
}
