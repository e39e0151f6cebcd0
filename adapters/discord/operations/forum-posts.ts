import { cardsOf } from '#src/clients/chat/sendable-cards.ts';
import { z } from 'zod';
import { PlatformError } from '#src/errors.ts';
import { neutral, plain } from '#src/clients/operation/text/sanitize.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import { type Named, requiresTag } from '../channels.ts';
import { codeOf, CODES, missing } from '../errors.ts';
import { createdAtMs } from '../history.ts';
import { compose, type Draft, type Server } from '../server.ts';
import { WireMessage, WireThread } from '../wire/message.ts';

const LONGEST_TITLE = 100;
const ESCAPED = /\\([!-/:-@[-`{-~])/gu;
/** Start of a private-use range of Unicode that protects escaped characters while markup is removed. */
const ASIDE = 0xf0000;
const SET_ASIDE = /[\u{F0020}-\u{F007F}]/gu;

const StartedPost = z.object({ ...WireThread.shape, message: WireMessage });

/** The title and the tags of a post. */
export interface Heading {
  readonly title?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** A new post of a forum. */
interface PostDraft extends Heading, Draft {}

/** A post with its first message. */
interface Post {
  readonly thread: WireThread;
  readonly message: WireMessage;
}

/** Creates a forum post. Its first message has the id of the thread. */
export async function beginPost(
  server: Server,
  forum: Named,
  { title, tags, ...draft }: PostDraft,
  signal: AbortSignal | undefined,
): Promise<Post> {
  const applied = tagIds(forum, tags);
  // Forum posts have no nonce.
  const { form, files } = await compose(server, { ...draft, nonce: undefined }, signal);
  const body = { name: titleOf({ title, ...draft }), applied_tags: applied, message: form };
  const path: `/${string}` = `/channels/${forum.id}/threads`;
  const { message, ...thread } = await server.api({ method: 'POST', path, body, files, answer: StartedPost, signal });
  return { thread, message };
}

/** The title of a post: the given title, the title of its card, or its first words. */
export function titleOf({
  title,
  content,
  layout,
  ...cards
}: Pick<PostDraft, 'title' | 'embed' | 'embeds' | 'layout' | 'content'>): string {
  const [card] = cardsOf(cards);
  const texts = (layout?.blocks ?? []).flatMap((block) => ('text' in block ? bare(block.text).split('\n') : []));
  const [first = ''] = [title ?? '', bare(card?.title), ...bare(content).split('\n'), bare(card?.description), ...texts]
    .map((text) => neutral(text).replace(/\s+/gu, ' ').trim())
    .filter((text) => text !== '');
  return shorten(first, LONGEST_TITLE) || '…';
}

/** Text without markup and escapes, because titles are not Markdown. */
function bare(text = ''): string {
  const words = text.replace(ESCAPED, (_, sign: string) => String.fromCodePoint(ASIDE + sign.charCodeAt(0)));
  return plain(words).replace(SET_ASIDE, (sign) => String.fromCharCode((sign.codePointAt(0) ?? ASIDE) - ASIDE));
}

/** The ids of tags. Throws for an unknown tag before anything is sent. */
export function tagIds(forum: Named, wanted: readonly string[] = []): readonly string[] {
  const there = forum.available_tags ?? [];
  const names = there.map(({ name }) => name).join(', ') || 'none';
  if (wanted.length === 0 && requiresTag(forum)) {
    throw new PlatformError(`#${forum.name} requires a tag for each post: set tags. It has: ${names}.`, {
      platform: 'discord',
      fault: 'rejected',
    });
  }
  return wanted.map((tag, index) => {
    const found = there.find(({ id, name }) => id === tag || name === tag) ?? there.find(({ name }) => same(name, tag));
    if (!found) throw missing(`#${forum.name} has no tag "${tag}". It has: ${names}.`, { parameter: 'tags', index });
    return found.id;
  });
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The recent posts of the bot in a forum, oldest first. */
export async function postsOfBot(
  server: Server,
  forumId: string,
  { sinceMs, signal }: { readonly sinceMs: number; readonly signal?: AbortSignal | undefined },
): Promise<readonly Post[]> {
  const { channels, history } = server;
  const botId = await history.botId(signal);
  const threads = (await channels.threadsOf(forumId, signal)).filter(
    ({ id, owner_id }) => owner_id === botId && createdAtMs(id) >= sinceMs,
  );
  const posts = await Promise.all(
    threads.map(async (thread): Promise<readonly Post[]> => {
      const message = await firstMessage(server, thread, signal);
      return message ? [{ thread, message }] : [];
    }),
  );
  return posts.flat().toSorted((a, b) => (BigInt(a.thread.id) < BigInt(b.thread.id) ? -1 : 1));
}

/** The first message of a post; undefined if it is deleted or not created yet. */
export async function firstMessage(
  { api }: Pick<Server, 'api'>,
  { id }: Pick<WireThread, 'id'>,
  signal: AbortSignal | undefined,
): Promise<WireMessage | undefined> {
  try {
    return await api({ method: 'GET', path: `/channels/${id}/messages/${id}`, answer: WireMessage, signal });
  } catch (error) {
    const code = codeOf(error);
    if (code === CODES.unknownMessage || code === CODES.unknownChannel) return undefined;
    throw error;
  }
}

/** Throws for a title or tags outside of a forum. */
export function refuseHeading({ name }: Named, { title, tags = [] }: Heading): void {
  if (title === undefined && tags.length === 0) return;
  throw new PlatformError(`#${name} is not a forum: messages there have no title and no tags.`, {
    platform: 'discord',
    fault: 'rejected',
  });
}
