import { z } from 'zod';
import { Person, ref } from '#src/operation/record.ts';

const sent = z.object({ ...ref });

/** A message that was sent; its id is `channel/message`. */
export interface SentMessage extends z.output<typeof sent> {}
export const SentMessage: z.ZodType<SentMessage> = sent;

const embed = z.object({
  title: z.string().optional(),
  url: z.string().optional(),
  description: z.string().optional(),
  image: z.string().optional(),
  thumbnail: z.string().optional(),
  footer: z.string().optional(),
  color: z.int().optional(),
  fields: z.array(z.object({ name: z.string(), value: z.string(), inline: z.boolean().optional() })).optional(),
});

/** A card below a message. */
export interface Embed extends z.output<typeof embed> {}
export const Embed: z.ZodType<Embed> = embed;

const message = z.object({
  ...ref,
  channel: z.object({ id: z.string(), name: z.string() }),
  author: Person,
  content: z.string(),
  embeds: z.array(Embed),
  createdAt: z.date(),
  editedAt: z.date().optional(),
  fetchedAt: z.date(),
});

/** A message as it stands in a channel. */
export interface Message extends z.output<typeof message> {}
export const Message: z.ZodType<Message> = message;
