import { neutral } from '#src/operation/text/neutral.ts';

/** A link that shows another text than where it leads to, by the start of its address, in which anything may be escaped. */
const MASK = /\](?=\(\s{0,2000}[^\s:\\]{0,20}[:\\])/gu;
/** Small print is how the bot speaks of the answer itself. */
const SMALL_PRINT = /^(?=[ \t]*-#)/gmu;
/** More marks on one letter than any script puts there. */
const TOWER = /(\p{M}{3})\p{M}+/gu;

/**
 * What a model wrote, with its Markdown but without what could lie: links show where they lead, nothing turns the text around it, and the
 * small print stays the bot's own.
 *
 * While a text grows at its end, only the end of what this makes of it changes.
 */
export function answerText(text: string): string {
  return neutral(text).replaceAll(TOWER, '$1').replaceAll(MASK, '] ').replaceAll(SMALL_PRINT, '\\');
}
