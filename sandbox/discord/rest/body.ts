import type { Context } from 'hono';
import type { z } from 'zod';
import { parseForm } from '../form.ts';
import type { Channel } from '../guild/channel.ts';
import type { MessageForm } from '../messages/form.ts';
import type { Upload } from '../messages/parts.ts';
import type { Uploads } from '../messages/post.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { demand } from './guild.ts';

/** Checks the permissions for files, embeds and replies. */
export function checkContents(discord: Discord, channel: Channel, form: MessageForm, uploads: Uploads): void {
  if (uploads.size > 0) demand(discord, 'AttachFiles', channel);
  if (form.embeds?.length) demand(discord, 'EmbedLinks', channel);
  if (form.replyTo && !discord.guilds.of(channel.id).botMay('ReadMessageHistory', channel)) throw refusals.noReplyWithoutHistory();
}

/** The largest request: a file for a guild of the highest tier, and its form. */
const MAX_REQUEST_BYTES = 101 * 1024 * 1024;

/** Reads a JSON body, or the `payload_json` and the numbered files of a multipart body. */
export async function readBody(c: Context): Promise<{ readonly json: unknown; readonly uploads: Uploads }> {
  if (Number(c.req.header('content-length') ?? 0) > MAX_REQUEST_BYTES) throw refusals.tooLarge();
  if (!c.req.header('content-type')?.startsWith('multipart/form-data')) return { json: parseJson(await c.req.text()), uploads: new Map() };

  const form = await c.req.formData();
  const payload = form.get('payload_json');
  const uploads = new Map<string, Upload>();
  for (const [key, value] of form) {
    const number = /^files\[(\d+)\]$/.exec(key)?.[1];
    if (number === undefined || typeof value === 'string') continue;
    uploads.set(number, { filename: value.name, contentType: value.type || undefined, bytes: await value.bytes() });
  }
  return { json: typeof payload === 'string' ? parseJson(payload) : {}, uploads };
}

/** Parses a body without files. */
export async function readForm<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  return parseForm(schema, (await readBody(c)).json);
}

function parseJson(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw refusals.notJson();
  }
}
