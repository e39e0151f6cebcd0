import type { MessageTarget, MessagePreview, TextLength } from '#src/engine/simulation/preview/preview-view.ts';
import { cardCharacters, MOST_CARD_TEXT, sendableCards } from '#src/clients/chat/sendable-cards.ts';
import { acceptedLink, acceptedPicture } from '#src/clients/operation/accepted-address.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import { mentionsIn } from '#src/clients/operation/text/mentions.ts';
import { limitOf } from '#src/rules/rendering/fit-text.ts';
import { limitBehind } from '#src/rules/rendering/post-parts.ts';
import { keysOf, shapeAt, shapeOf, textOf, type Shape } from '#src/rules/shape/shape.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { draftsIn } from './sample-message.ts';

interface Place {
  readonly shape: Shape;
  readonly textLimit: TextLimit | undefined;
}

/** The target of a step. */
interface Target {
  readonly textLimit?: TextLimit | undefined;
  /** The content warning that an edit keeps. */
  readonly keptWarning?: string | undefined;
}

/** The message that the parameters of a step produce at their target. */
export function messagePreview(verb: string, params: JsonObject, { textLimit, keptWarning }: Target = {}): MessagePreview {
  const declared = catalogue.get(verb);
  const shape: Shape = declared ? shapeOf(declared.params) : { kind: 'anything' };
  const isChat = verb.startsWith('discord.');
  const { channel, message, content, text, embed, embeds, layout, buttons, mention, ...named } = params;
  // Only a standing message is found by its name. Events, threads and channels get theirs.
  const { name, ...unnamed } = named;
  const rest = verb === 'discord.put' ? unnamed : named;
  const shownText = isChat ? content : text;
  const others = isChat ? { ...rest, ...(text !== undefined && { text }) } : { ...rest, ...(content !== undefined && { content }) };
  return {
    target: targetOf({ channel, message, name: verb === 'discord.put' ? name : undefined }),
    ...(typeof shownText === 'string' && { text: shownText }),
    isMarkdown: isChat,
    embeds: [...cardsOf(verb, { embed, embeds }), ...layoutCards(layout)],
    buttons: [...blocksOf(layout).flatMap((block) => listOf(block['buttons'])), ...listOf(buttons)].flatMap(labelOf),
    others: Object.entries(others),
    lengths: [
      ...lengthsOf(params, { shape, textLimit }, '').map((one) =>
        one.path === 'text' ? besideWarning(one, params['warning'] ?? keptWarning, textLimit) : one,
      ),
      ...cardsLength(params),
    ],
    ...(isChat
      ? { pings: keysOf(shape).includes('mention') ? namesIn(mention) : undefined }
      : typeof shownText === 'string' && pingsIn(shownText, textLimit)),
  };
}

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonList(value) ? value : [];
}

/** The cards that are sent. An edit changes parts of its first card, and an empty part removes one. */
function cardsOf(verb: string, { embed, embeds }: JsonObject): readonly JsonObject[] {
  if (verb === 'discord.edit' && isJsonObject(embed)) return [embed];
  const sent: readonly object[] = sendableCards(draftsIn({ embed, embeds }));
  return sent as readonly JsonObject[]; // cards consist of JSON
}

/** The length of all cards, if Discord does not accept it. */
export function cardsLength(params: JsonObject): readonly (TextLength & { readonly most: number })[] {
  const length = cardCharacters(draftsIn(params));
  return length > MOST_CARD_TEXT ? [{ path: 'embeds', length, most: MOST_CARD_TEXT }] : [];
}

function blocksOf(layout: Json | undefined): readonly JsonObject[] {
  return isJsonObject(layout) ? listOf(layout['blocks']).filter(isJsonObject) : [];
}

/** A layout as a card: its texts and its first picture; none if it has neither. */
function layoutCards(layout: Json | undefined): readonly JsonObject[] {
  const blocks = blocksOf(layout);
  const pictures = blocks.flatMap((block) => listOf(block['pictures'])).filter(isJsonObject);
  const [image] = pictures.flatMap(({ url }) => (typeof url === 'string' ? (acceptedPicture(url) ?? []) : []));
  const description = blocks.flatMap(({ text }) => (typeof text === 'string' ? text : [])).join('\n');
  if (description === '' && image === undefined) return [];
  const color = isJsonObject(layout) ? layout['color'] : undefined;
  return [{ description, ...(image !== undefined && { image }), ...(color !== undefined && { color }) }];
}

/** The label of a button that is sent. Discord refuses some addresses, and a link without an address is left out. */
export function labelOf(button: Json): readonly string[] {
  if (!isJsonObject(button) || typeof button['label'] !== 'string') return [];
  const { label, url } = button;
  return typeof url === 'string' && acceptedLink(url) === undefined ? [] : [label];
}

function targetOf({ channel, name, message }: Readonly<Record<string, Json | undefined>>): MessageTarget | undefined {
  if (typeof channel === 'string') {
    return { kind: 'channel', channel: channel.replace(/^#/u, ''), ...(typeof name === 'string' && { name }) };
  }
  return typeof message === 'string' ? { kind: 'message', message } : undefined;
}

/** The lengths of all texts that people read, with their bounds. */
function lengthsOf(value: Json | undefined, { shape, textLimit }: Place, path: string): MessagePreview['lengths'] {
  if (typeof value === 'string') {
    if (!isProse(shape)) return [];
    const limit = limitOf(textOf(shape), textLimit);
    return [limit ? { path, length: limit.lengthOf(value), most: limit.most } : { path, length: countGraphemes(value) }];
  }
  const parts: readonly (readonly [string | number, Json | undefined])[] = isJsonObject(value)
    ? Object.entries(value)
    : isJsonList(value)
      ? [...value.entries()]
      : [];
  return parts.flatMap(([key, part]) => {
    const name = typeof key === 'number' ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    return lengthsOf(part, { shape: shapeAt(shape, [key]) ?? { kind: 'anything' }, textLimit }, name);
  });
}

/** The length of a post with its warning, which takes room from the text. */
function besideWarning(of: TextLength, warning: Json | undefined, textLimit: TextLimit | undefined): TextLength {
  const room = typeof warning === 'string' ? limitBehind(warning, textLimit) : undefined;
  return room && textLimit ? { ...of, length: of.length + textLimit.most - room.most } : of;
}

/** Whether a text is read by people: names of channels and the like are not. */
function isProse(shape: Shape): boolean {
  const text = textOf(shape);
  return text !== undefined && (text.markup !== undefined || (text.max ?? 0) > 256);
}

function namesIn(mention: Json | undefined): readonly string[] {
  return isJsonList(mention) ? mention.map(String) : [];
}

/** The mentions that the author of a post wrote; untrusted text contains no mentions. */
function pingsIn(text: string, textLimit: TextLimit | undefined): Pick<MessagePreview, 'pings' | 'onlyText'> {
  const { called, uncalled } = mentionsIn(text, textLimit);
  return { pings: called, ...(uncalled.length > 0 && { onlyText: uncalled }) };
}
