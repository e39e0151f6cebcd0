import type { SayingPlace, SayingView, TextLength } from '#src/cli/preview-view.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import { shorten } from '#src/operation/text/shorten.ts';
import { linkTo, type Reader } from '../cards/card.ts';
import { escaped, escapedLines } from '../text/foreign-text.ts';
import { numeral } from './text.ts';

const LONGEST_TEXT = 900;
const LONGEST_PART = 300;
const MOST_FIELDS = 6;
const MOST_OTHERS = 5;
/** From this part of what fits on, it is told how long a text is. */
const NEARLY_FULL = 0.8;

/** Where something is said, as `#live`. */
export function placeOf(place: SayingPlace, { words: { controls } }: Reader): string {
  if (place.kind === 'message') return controls.previewing.toMessage;
  return `#${escaped(place.channel, 100)}${place.name === undefined ? '' : ` (${escaped(place.name, 60)})`}`;
}

/** What a step says, quoted as it would look, and below it what is worth knowing of it. */
export function sayingText(
  { text, isMarkdown, embed, others, lengths, pings = [], onlyText = [] }: SayingView,
  reader: Reader,
): readonly string[] {
  const { previewing } = reader.words.controls;
  const said = text === undefined ? [] : shown(text, isMarkdown, LONGEST_TEXT).split('\n');
  const rest = others.slice(0, MOST_OTHERS).map(([key, value]) => `${escaped(key, 60)}: ${escaped(plain(value), LONGEST_PART)}`);
  const facts = [
    ...lengths.flatMap((length) => lengthText(length, reader)),
    ...(pings.length > 0 ? [previewing.pings(escaped(pings.join(', '), 200))] : []),
    ...(onlyText.length > 0 ? [previewing.onlyText(escaped(onlyText.join(', '), 200))] : []),
  ];
  return [
    ...[...said, ...(embed ? embedLines(embed, reader) : []), ...rest].map((line) => `> ${line}`),
    ...(facts.length > 0 ? [`-# ${facts.join(' · ')}`] : []),
  ];
}

/** Markdown of a rule is shown as it will be: what is foreign in it was escaped when it was rendered. */
function shown(text: string, isMarkdown: boolean, most: number): string {
  return isMarkdown ? shorten(text, most) : escapedLines(text, most);
}

function embedLines({ title, url, description, fields, footer, image, thumbnail }: JsonObject, reader: Reader): readonly string[] {
  const text = (value: Json | undefined, most = LONGEST_PART): string => (typeof value === 'string' ? shown(value, true, most) : '');
  const address = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
  const rows = isJsonList(fields) ? fields.filter(isJsonObject).slice(0, MOST_FIELDS) : [];
  const pictures = [image, thumbnail].flatMap((one) => address(one) ?? []);
  const { picture } = reader.words.controls.previewing;
  return [
    ...(title === undefined ? [] : [`**${linkTo(address(url), text(title))}**`]),
    ...(description === undefined ? [] : text(description, LONGEST_TEXT).split('\n')),
    ...rows.map(({ name, value }) => `**${text(name)}** ${text(value).replaceAll('\n', ' ')}`),
    ...(footer === undefined ? [] : [text(footer)]),
    ...(pictures.length === 0 ? [] : [pictures.map((one) => linkTo(one, `🖼️ ${picture}`)).join(' ')]),
  ];
}

/** Of a post it is always told how much of it is left, of anything else where it is nearly full. */
function lengthText({ path, length, most }: TextLength, reader: Reader): readonly string[] {
  const { previewing } = reader.words.controls;
  if (most === undefined || (path !== 'text' && length < most * NEARLY_FULL)) return [];
  const [long, longest] = [numeral(length, reader), numeral(most, reader)];
  return [path === 'text' || path === 'content' ? previewing.length(long, longest) : previewing.lengthOf(escaped(path, 60), long, longest)];
}

function plain(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
