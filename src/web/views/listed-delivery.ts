import type { Delivery } from '../client/records.ts';

/** An address, whose underscores are a part of it, a backslash before a sign, or a delimiter of Discord's Markdown. */
const MARKUP = /(https?:\/\/[^\s<>|*)\\]+)|\\([!-/:-@[-`{-~])|\*+|__|~~|\|\|/gu;

/** A text of Discord without its Markdown. */
export function withoutMarkup(text: string): string {
  return text.replaceAll(MARKUP, '$1$2');
}

/** A delivery without the values that lists do not show. The record of the platform alone can be several kilobytes. */
export function listedDelivery({ texts: _texts, omitted: _omitted, result, text, ...listed }: Delivery): Delivery {
  const isMarkdown = listed.do.startsWith('discord.');
  return {
    ...listed,
    text: isMarkdown && text !== undefined ? withoutMarkup(text) : text,
    result: result?.['url'] === undefined ? undefined : { url: result['url'] },
  };
}
