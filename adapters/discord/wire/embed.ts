import { z } from 'zod';
import { arrayOf } from '#src/http/lenient.ts';
import { colorNumber } from '#src/clients/chat/color.ts';
import type { EmbedDraft } from '#src/clients/chat/parameters.ts';
import { sendableCards } from '#src/clients/chat/sendable-cards.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);
const picture = z
  .object({ url: z.string() })
  .nullish()
  .transform((value) => value?.url);

const WireEmbed = z
  .object({
    author: z
      .object({ name: z.string(), url: text, icon_url: text })
      .nullish()
      .transform((author) => (author ? { name: author.name, url: author.url, icon: author.icon_url } : undefined)),
    timestamp: z.iso
      .datetime({ offset: true })
      .nullish()
      .transform((at) => (at ? new Date(at).toISOString() : undefined)),
    type: z.string().default('rich'),
    title: text,
    url: text,
    description: text,
    image: z.object({ url: z.string(), description: text }).nullish(),
    thumbnail: picture,
    footer: z
      .object({ text: z.string() })
      .nullish()
      .transform((footer) => footer?.text),
    color: z
      .int()
      .nullish()
      .transform((color) => color ?? undefined),
    fields: z
      .array(z.object({ name: z.string(), value: z.string(), inline: z.boolean().optional() }))
      .nullish()
      .transform((fields) => (fields?.length ? fields : undefined)),
  })
  .transform(({ type, image, ...embed }) => ({ type, embed: { ...embed, image: image?.url, altText: image?.description } }));

/** The cards of a message without the link previews that Discord adds. */
export const WireEmbeds = arrayOf(WireEmbed).transform((embeds) => embeds.flatMap(({ type, embed }) => (type === 'rich' ? [embed] : [])));

/** Cards in Discord's form. */
export function toWireEmbeds(cards: readonly EmbedDraft[]): readonly object[] {
  return sendableCards(cards).map(toWireEmbed);
}

function toWireEmbed({ title, url, description, author, image, altText, thumbnail, footer, fields, timestamp, color }: EmbedDraft): object {
  return {
    title,
    url,
    description,
    fields,
    timestamp,
    ...(color !== undefined && { color: colorNumber(color) }),
    ...(author && { author: { name: author.name, url: author.url, icon_url: author.icon } }),
    ...(image !== undefined && { image: { url: image, description: altText || undefined } }),
    ...(thumbnail !== undefined && { thumbnail: { url: thumbnail } }),
    ...(footer !== undefined && { footer: { text: footer } }),
  };
}
