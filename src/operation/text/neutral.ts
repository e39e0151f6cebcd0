/** Control characters but the line break and the tab, and what turns the direction of the text that follows. */
const UNSEEN = /[\p{Cc}--[\n\t]]|[\u202A-\u202E\u2066-\u2069\uFEFF]/gv;

/** Marks that belong to no script, one above the other: more than three of them stand in the lines above and below. */
const TOWER = /([\p{Script=Inherited}&&\p{M}]{3})[\p{Script=Inherited}&&\p{M}]+/gv;

/** Foreign text without what would not be seen but still act: nothing in it can move, hide, cover or turn the text around it. */
export function neutral(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|\u2028|\u2029/gu, '\n')
    .replace(UNSEEN, '')
    .replace(TOWER, '$1');
}
