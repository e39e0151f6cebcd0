import { z } from 'zod';
import { arrayOf } from '#src/http/lenient.ts';
import { acceptedAddress, acceptedPicture } from '#src/clients/operation/accepted-address.ts';
import type { EmbedDraft } from '#src/clients/chat/parameters.ts';
import { shortenMarkdown } from '#src/clients/operation/text/shorten-markdown.ts';

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

/** Discord's limit for all texts of a card. */
const MOST_CHARACTERS = 6000;

/** Cards in Discord's form. If they are too long, the last fields are removed first, and then the end of the description, from the last card. */
export function toWireEmbeds(cards: readonly EmbedDraft[]): readonly object[] {
  let excess = cards.reduce((sum, card) => sum + charactersIn(card), 0) - MOST_CHARACTERS;
  const fitted = cards.toReversed().map((card) => {
    const fits = fitting(card, excess);
    excess -= charactersIn(card) - charactersIn(fits);
    return fits;
  });
  return fitted.toReversed().flatMap(toWireEmbed);
}

/**
 * A card without empty parts, because an expression without a result is an empty text, and without the addresses that Discord refuses, because
 * it would refuse the message.
 */
function toWireEmbed(card: EmbedDraft): readonly object[] {
  const { author, altText, title, description, footer, fields = [], timestamp } = card;
  const [image, thumbnail] = [acceptedPicture(card.image), acceptedPicture(card.thumbnail)];
  const grid = fields.filter(({ name, value }) => isShown(name) && isShown(value));
  const shown = {
    ...(author &&
      isShown(author.name) && {
        author: { name: author.name, url: acceptedAddress(author.url), icon_url: acceptedPicture(author.icon) },
      }),
    ...(isShown(title) && { title }),
    ...(isShown(description) && { description }),
    ...(image !== undefined && { image: { url: image, description: altText || undefined } }),
    ...(thumbnail !== undefined && { thumbnail: { url: thumbnail } }),
    ...(isShown(footer) && { footer: { text: footer } }),
    ...(grid.length > 0 && { fields: grid }),
    ...(timestamp && { timestamp }),
  };
  // Discord refuses a card of nothing but a color and a link.
  return Object.keys(shown).length > 0 ? [{ ...shown, url: acceptedAddress(card.url), color: card.color }] : [];
}

function isShown(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function fitting(card: EmbedDraft, excess: number): EmbedDraft {
  const { description = '', fields = [] } = card;
  if (excess <= 0) return card;
  const [last] = fields.slice(-1);
  if (last) return fitting({ ...card, fields: fields.slice(0, -1) }, excess - last.name.length - last.value.length);
  return { ...card, description: shortenMarkdown(description, Math.max(0, description.length - excess)) };
}

function charactersIn({ author, title = '', description = '', footer = '', fields = [] }: EmbedDraft): number {
  return [author?.name ?? '', title, description, footer, ...fields.flatMap(({ name, value }) => [name, value])].reduce(
    (sum, text) => sum + text.length,
    0,
  );
}
