import { fetch } from 'undici';
import { z } from 'zod';
import type { Sandbox } from '#sandbox/server.ts';

/** A record as the platform stores it. */
export interface PlatformRecord {
  /** The first id of an edited post. */
  readonly id: string;
  readonly text: string;
  readonly replyTo?: string | undefined;
  readonly quote?: string | undefined;
  /** The options of a poll. */
  readonly poll?: readonly string[] | undefined;
  /** The number of attached files. */
  readonly files: number;
  /** The number of edits, if the platform reports them. */
  readonly edits?: number | undefined;
}

const AUTHOR = 'fanfare';

/** Reads from the control API of the sandbox, or sends an order to it. */
export async function control(sandbox: Sandbox, path: string, order?: object): Promise<unknown> {
  const response = await fetch(
    `${sandbox.url}/control/${path}`,
    order && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) },
  );
  if (!response.ok) throw new Error(`the sandbox refused ${path}: ${await response.text()}`);
  return response.json();
}

const Written = z.object({
  id: z.string(),
  editHistory: z.array(z.string()).optional(),
  author: z.string(),
  text: z.string(),
  visibility: z.string().optional(),
  replyTo: z.string().optional(),
  quote: z.string().optional(),
  poll: z.array(z.string()).optional(),
  media: z.array(z.unknown()),
  deletedAt: z.string().optional(),
});

/** Posts of X and Mastodon, oldest first. */
export async function posts(sandbox: Sandbox, name: string): Promise<readonly PlatformRecord[]> {
  const { items } = z.object({ items: z.array(Written) }).parse(await control(sandbox, `${name}/posts`));
  return items
    .filter(({ author, deletedAt }) => author === AUTHOR && deletedAt === undefined)
    .map(({ id, editHistory, visibility, media, text, replyTo, quote, poll }) =>
      visibility === 'direct'
        ? // A direct message of Mastodon begins with its recipients.
          { id, text: text.replace(/^(?:@\S+ )+/, ''), files: media.length }
        : { id: editHistory?.[0] ?? id, text, replyTo, quote, poll, files: media.length, edits: editsIn(editHistory) },
    );
}

function editsIn([, ...later]: readonly string[] = []): number | undefined {
  return later.length > 0 ? later.length : undefined;
}

const Sent = Written.pick({ id: true, author: true, text: true, media: true });

/** Direct messages that are not posts. */
export async function messages(sandbox: Sandbox, name: string): Promise<readonly PlatformRecord[]> {
  const { items } = z.object({ items: z.array(Sent) }).parse(await control(sandbox, `${name}/messages`));
  return items.filter(({ author }) => author === AUTHOR).map(({ id, text, media }) => ({ id, text, files: media.length }));
}

const Named = z.object({ uri: z.string() });
const Records = z.object({
  items: z.array(
    z.object({
      uri: z.string(),
      author: z.string(),
      text: z.string(),
      record: z.object({
        reply: z.object({ parent: Named }).optional(),
        embed: z.object({ images: z.array(z.unknown()).optional(), video: z.unknown().optional(), record: Named.optional() }).optional(),
      }),
    }),
  ),
});

/** Posts of Bluesky. */
export async function records(sandbox: Sandbox, { name, handle }: { name: string; handle: string }): Promise<readonly PlatformRecord[]> {
  const { items } = Records.parse(await control(sandbox, `${name}/posts`));
  return items
    .filter(({ author }) => author === handle)
    .map(({ uri: id, text, record: { reply, embed: { images, video, record } = {} } }) => ({
      id,
      text,
      replyTo: reply?.parent.uri,
      quote: record?.uri,
      files: images?.length ?? (video === undefined ? 0 : 1),
    }));
}

const Scheduled = z.array(z.object({ id: z.string(), params: z.object({ text: z.string() }), media_attachments: z.array(z.unknown()) }));

/** Scheduled posts of Mastodon. */
export async function scheduledPosts({ url, token }: { url: string; token: string }): Promise<readonly PlatformRecord[]> {
  const response = await fetch(`${url}/api/v1/scheduled_statuses?limit=40`, { headers: { authorization: `Bearer ${token}` } });
  return Scheduled.parse(await response.json()).map(({ id, params, media_attachments: media }) => ({
    id,
    text: params.text,
    files: media.length,
  }));
}
