import { fetch } from 'undici';
import { z } from 'zod';
import type { Sandbox } from '#sandbox/server.ts';

/** What was written, as the platform itself has it. */
export interface Standing {
  /** Of a post that was edited: the one that it had first. */
  readonly id: string;
  readonly text: string;
  readonly replyTo?: string | undefined;
  readonly quote?: string | undefined;
  /** What a poll offers. */
  readonly poll?: readonly string[] | undefined;
  /** How many files it shows. */
  readonly files: number;
  /** How often it was edited, where that is told. */
  readonly edits?: number | undefined;
}

/** Whose all of it is. */
const SELF = 'fanfare';

/** What the sandbox says of a platform, or does to it. */
export async function control(sandbox: Sandbox, path: string, order?: object): Promise<unknown> {
  const response = await fetch(
    `${sandbox.url}/control/${path}`,
    order && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) },
  );
  if (!response.ok) throw new Error(`the sandbox says no to ${path}: ${await response.text()}`);
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

/** Posts, where they are not records; oldest first. */
export async function posts(sandbox: Sandbox, name: string): Promise<readonly Standing[]> {
  const { items } = z.object({ items: z.array(Written) }).parse(await control(sandbox, `${name}/posts`));
  return items
    .filter(({ author, deletedAt }) => author === SELF && deletedAt === undefined)
    .map(({ id, editHistory, visibility, media, text, replyTo, quote, poll }) =>
      visibility === 'direct'
        ? // Whom it goes to stands before what it says.
          { id, text: text.replace(/^(?:@\S+ )+/, ''), files: media.length }
        : { id: editHistory?.[0] ?? id, text, replyTo, quote, poll, files: media.length, edits: editsIn(editHistory) },
    );
}

function editsIn([, ...later]: readonly string[] = []): number | undefined {
  return later.length > 0 ? later.length : undefined;
}

const Sent = Written.pick({ id: true, author: true, text: true, media: true });

/** Direct messages, where they are no posts. */
export async function messages(sandbox: Sandbox, name: string): Promise<readonly Standing[]> {
  const { items } = z.object({ items: z.array(Sent) }).parse(await control(sandbox, `${name}/messages`));
  return items.filter(({ author }) => author === SELF).map(({ id, text, media }) => ({ id, text, files: media.length }));
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

/** Posts that are records. */
export async function records(sandbox: Sandbox, { name, handle }: { name: string; handle: string }): Promise<readonly Standing[]> {
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

const Waiting = z.array(z.object({ id: z.string(), params: z.object({ text: z.string() }), media_attachments: z.array(z.unknown()) }));

/** Posts that a server of Mastodon keeps until their time. */
export async function waiting({ url, token }: { url: string; token: string }): Promise<readonly Standing[]> {
  const response = await fetch(`${url}/api/v1/scheduled_statuses?limit=40`, { headers: { authorization: `Bearer ${token}` } });
  return Waiting.parse(await response.json()).map(({ id, params, media_attachments: media }) => ({
    id,
    text: params.text,
    files: media.length,
  }));
}
