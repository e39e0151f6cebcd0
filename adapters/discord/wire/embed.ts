import { z } from 'zod';
import { arrayOf } from '#src/http/lenient.ts';
import type { EmbedDraft } from '#src/chat/parameters.ts';
import { shorten } from '#src/operation/text/shorten.ts';

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
    type: z.string().default('rich'),
    title: text,
    url: text,
    description: text,
    image: picture,
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
  .transform(({ type, ...embed }) => ({ type, embed }));

/** The cards of a message without the link previews that Discord adds. */
export const WireEmbeds = arrayOf(WireEmbed).transform((embeds) => embeds.flatMap(({ type, embed }) => (type === 'rich' ? [embed] : [])));

/** Discord's limit for all texts of a card. */
const MOST_CHARACTERS = 6000;

/**
 * A card in Discord's form without empty parts, because an expression without a result is an empty text. If the card is too
 * long, the last fields are removed first, and then the end of the description.
 */
export function toWireEmbeds(card: EmbedDraft): readonly object[] {
  const { pictures: _, image, thumbnail, footer, fields, ...same } = fitting(card);
  const parts = {
    ...same,
    image: image && { url: image },
    thumbnail: thumbnail && { url: thumbnail },
    footer: footer && { text: footer },
    fields: fields?.filter(({ name, value }) => name !== '' && value !== ''),
  };
  const present = Object.entries(parts).filter(([, value]) => value !== undefined && value !== '');
  return present.length > 0 ? [Object.fromEntries(present)] : [];
}

function fitting(card: EmbedDraft): EmbedDraft {
  const { description = '', fields = [] } = card;
  const excess = charactersIn(card) - MOST_CHARACTERS;
  if (excess <= 0) return card;
  if (fields.length > 0) return fitting({ ...card, fields: fields.slice(0, -1) });
  return { ...card, description: shorten(description, description.length - excess) };
}

function charactersIn({ title = '', description = '', footer = '', fields = [] }: EmbedDraft): number {
  return [title, description, footer, ...fields.flatMap(({ name, value }) => [name, value])].reduce((sum, text) => sum + text.length, 0);
}
