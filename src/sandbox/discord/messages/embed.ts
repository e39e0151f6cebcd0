import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { toTimestamp } from '../snowflake.ts';

const MAX_CHARACTERS = 6000;

const text = (max: number) => z.string().trim().max(max).nullish();
const address = z
  .string()
  .max(2048)
  .refine((url) => /^(?:https?|attachment):\/\//i.test(url), {
    params: { code: 'URL_TYPE_INVALID_SCHEME' },
    message: "Scheme must be one of ('http', 'https').",
  })
  .nullish();
const picture = z.object({ url: address }).nullish();

/** One card, as it is written and as it is kept. */
export const Embed = z.object({
  title: text(256),
  description: text(4096),
  url: address,
  timestamp: z.iso.datetime({ offset: true }).nullish(),
  color: z.int().min(0).max(0xff_ff_ff).nullish(),
  footer: z.object({ text: z.string().trim().max(2048), icon_url: address }).nullish(),
  image: picture,
  thumbnail: picture,
  author: z.object({ name: z.string().trim().max(256), url: address, icon_url: address }).nullish(),
  fields: z
    .array(z.object({ name: z.string().trim().min(1).max(256), value: z.string().trim().min(1).max(1024), inline: z.boolean().nullish() }))
    .max(25)
    .nullish(),
});
export type Embed = z.output<typeof Embed>;

/** The cards of a message, each as Discord keeps it. */
export const Embeds = z
  .array(Embed)
  .max(10)
  .refine((embeds) => embeds.reduce((sum, embed) => sum + countCharacters(embed), 0) <= MAX_CHARACTERS, {
    params: { code: 'MAX_EMBED_SIZE_EXCEEDED' },
    message: `Embed size exceeds maximum size of ${MAX_CHARACTERS}`,
  })
  .transform((embeds) => embeds.map(toStored));

/** A stored embed with its `attachment://` pictures pointed to where `address` says they are. */
export function resolvePictures(embed: JsonObject, address: (filename: string) => string | undefined): JsonObject {
  const resolved = JSON.stringify(embed).replaceAll(/attachment:\/\/([\w.-]+)/g, (whole, filename: string) => address(filename) ?? whole);
  // It was an object before, and only texts inside of it changed.
  return JSON.parse(resolved) as JsonObject;
}

function countCharacters({ title, description, footer, author, fields }: Embed): number {
  const texts = [title, description, footer?.text, author?.name, ...(fields ?? []).flatMap(({ name, value }) => [name, value])];
  return texts.reduce((sum, part) => sum + Array.from(part ?? '').length, 0);
}

function toStored(embed: Embed): JsonObject {
  const present = Object.fromEntries(Object.entries(embed).filter(([, value]) => value !== null && value !== undefined && value !== ''));
  return {
    type: 'rich',
    ...present,
    ...(embed.timestamp && { timestamp: toTimestamp(Date.parse(embed.timestamp)) }),
    ...(embed.fields && { fields: embed.fields.map(({ name, value, inline }) => ({ name, value, inline: inline ?? false })) }),
  };
}
