import { acceptedAddress, acceptedPicture } from '#src/clients/operation/accepted-address.ts';
import { shortenMarkdown } from '#src/clients/operation/text/shorten-markdown.ts';
import type { EmbedDraft } from './parameters.ts';

/** Discord's limit for all texts of the cards of a message. */
export const MOST_CARD_TEXT = 6000;

/** The cards of a message. */
export function cardsOf({
  embed,
  embeds = [],
}: {
  readonly embed?: EmbedDraft | undefined;
  readonly embeds?: readonly EmbedDraft[] | undefined;
}): readonly EmbedDraft[] {
  return embed ? [embed] : embeds;
}

/**
 * The cards as Discord accepts them. If they are too long, the last fields are removed first, and then the end of the description, from the last
 * card. Empty parts and refused addresses are left out, because Discord would refuse the message.
 */
export function sendableCards(cards: readonly EmbedDraft[]): readonly EmbedDraft[] {
  let excess = cardCharacters(cards) - MOST_CARD_TEXT;
  const fitted = cards.toReversed().map((card) => {
    const fits = fitting(card, excess);
    excess -= charactersIn(card) - charactersIn(fits);
    return fits;
  });
  return fitted.toReversed().flatMap(withoutEmptyParts);
}

/** The length of all texts of the cards of a message. */
export function cardCharacters(cards: readonly EmbedDraft[]): number {
  return cards.reduce((sum, card) => sum + charactersIn(card), 0);
}

/** The cards of a message after an edit that changes parts of its first card. */
export function mergedCards([first, ...others]: readonly EmbedDraft[], change: EmbedDraft): readonly EmbedDraft[] {
  return [{ ...first, ...change }, ...others];
}

function withoutEmptyParts(card: EmbedDraft): readonly EmbedDraft[] {
  const { author, altText, title, description, footer, fields = [], timestamp, color, pictures } = card;
  const [image, thumbnail, url] = [acceptedPicture(card.image), acceptedPicture(card.thumbnail), acceptedAddress(card.url)];
  const grid = fields.filter(({ name, value }) => isShown(name) && isShown(value));
  const shown = {
    ...(author && isShown(author.name) && { author: withAcceptedAddresses(author) }),
    ...(isShown(title) && { title }),
    ...(isShown(description) && { description }),
    ...(image !== undefined && { image, altText }),
    ...(thumbnail !== undefined && { thumbnail }),
    ...(isShown(footer) && { footer }),
    ...(grid.length > 0 && { fields: grid }),
    ...(timestamp && { timestamp }),
  };
  // Discord refuses a card of nothing but a color and a link.
  if (Object.keys(shown).length === 0) return [];
  return [{ ...shown, ...(url !== undefined && { url }), ...(color !== undefined && { color }), ...(pictures && { pictures }) }];
}

function withAcceptedAddresses({ name, ...addresses }: NonNullable<EmbedDraft['author']>): NonNullable<EmbedDraft['author']> {
  const [url, icon] = [acceptedAddress(addresses.url), acceptedPicture(addresses.icon)];
  return { name, ...(url !== undefined && { url }), ...(icon !== undefined && { icon }) };
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
