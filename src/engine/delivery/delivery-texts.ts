import { isJsonList, isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Delivery } from './delivery.ts';

/** A text of a delivery that people read. */
export interface DeliveryText {
  /** Its parameter, for example `embed.fields[0].value`. */
  readonly parameter: string;
  readonly text: string;
}

/** The parameters that people read. The others are names of accounts, channels and files, addresses and settings. */
const READ = new Set(['text', 'content', 'title', 'description', 'footer', 'name', 'value', 'altText', 'options', 'choices']);
/** The parameters of the main text, the most meaningful one first. */
const MAIN = ['text', 'content', 'embed.title', 'embed.description', 'name'];
/** Words longer than this are found by their beginning. */
const LONGEST_WORD = 64;
/** Scripts without spaces: each character is a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]]+/gv;

// oxlint-disable-next-line no-control-regex -- the first character of ASCII is one
const ASCII = /^[\x00-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+/g;

/** The rendered texts of a delivery; empty before the first attempt and for a step without a text. */
export function deliveryTexts({ params }: Pick<Delivery, 'params'>): readonly DeliveryText[] {
  return params === undefined ? [] : [...textsIn(params, '')];
}

function* textsIn(value: Json | undefined, parameter: string, isRead = false): Generator<DeliveryText, void> {
  if (typeof value === 'string') {
    if (isRead && value.trim() !== '') yield { parameter, text: value };
  } else if (isJsonList(value)) {
    for (const [index, one] of value.entries()) yield* textsIn(one, `${parameter}[${index}]`, isRead);
  } else if (isJsonObject(value)) {
    const isFile = /^files?\b/u.test(parameter);
    for (const [name, one] of Object.entries(value)) {
      yield* textsIn(one, parameter === '' ? name : `${parameter}.${name}`, READ.has(name) && !(isFile && name === 'name'));
    }
  }
}

export function mainText(texts: readonly DeliveryText[]): string | undefined {
  for (const parameter of MAIN) {
    const found = texts.find((one) => one.parameter === parameter);
    if (found) return found.text.trim();
  }
  return undefined;
}

/** The different words of a text, in lower case. Both databases search for these words, so that they find the same. */
export function wordsOf(text: string): readonly string[] {
  // Classes of Unicode cost several times as much.
  if (ASCII.test(text)) return distinct((text.toLowerCase().match(ASCII_WORD) ?? []).map((word) => word.slice(0, LONGEST_WORD)));
  const words = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  return distinct(words.map((word) => word.slice(0, LONGEST_WORD).toWellFormed()));
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}
