import type { EmbedDraft } from '#src/clients/chat/parameters.ts';
import { cardCharacters, mergedCards, MOST_CARD_TEXT, sendableCards } from '#src/clients/chat/sendable-cards.ts';
import { isJsonList, isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';

/** The parts of a sample message that its edits keep. */
export interface SampleMessage {
  readonly isLayout: boolean;
  readonly cards: readonly EmbedDraft[];
}

/** A message after a write. A layout replaces its cards. */
export function messageAfter(before: SampleMessage | undefined, params: JsonObject): SampleMessage {
  const isLayout = params['layout'] !== undefined || before?.isLayout === true;
  return { isLayout, cards: isLayout ? [] : sendableCards(cardsAfter(before, params)).map(stored) };
}

/** Whether a write gives a text or cards. */
export function givesText({ content, embed, embeds }: JsonObject): boolean {
  return [content, embed, embeds].some((part) => part !== undefined);
}

/** The parameters of an edit with all cards of the message, if they are too long together: then the edit also cuts parts that it keeps. */
export function withCutCards(before: SampleMessage | undefined, params: JsonObject): JsonObject {
  const { embed, ...others } = params;
  if (!isJsonObject(embed)) return params;
  const cards = cardsAfter(before, params);
  const whole: readonly object[] = cards;
  return cardCharacters(cards) > MOST_CARD_TEXT ? { ...others, embeds: whole as readonly JsonObject[] } : params; // cards consist of JSON
}

/** The cards in the parameters of a message. */
export function draftsIn({ embed, embeds }: JsonObject): readonly EmbedDraft[] {
  const drafts = [embed, ...(isJsonList(embeds) ? embeds : [])].filter(isJsonObject);
  return drafts as readonly EmbedDraft[]; // the rendered parameters of the operation
}

function cardsAfter(before: SampleMessage | undefined, params: JsonObject): readonly EmbedDraft[] {
  const { cards = [] } = before ?? {};
  const drafts = draftsIn(params);
  const [first] = drafts;
  if (params['embeds'] !== undefined) return drafts;
  return first ? mergedCards(cards, first) : cards;
}

/** A card as Discord stores it: without spaces around its texts. */
function stored(card: EmbedDraft): EmbedDraft {
  return JSON.parse(JSON.stringify(card), (_, value: unknown) => (typeof value === 'string' ? value.trim() : value)) as EmbedDraft; // of a card
}
