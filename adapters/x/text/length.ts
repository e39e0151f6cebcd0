import { DOMAIN_ENDINGS } from '#src/clients/operation/text/domain-endings.ts';
import { withoutFoldedLetters } from '#src/clients/operation/text/case-folding.ts';

/** The weight of a link of any length. */
const LINK_WEIGHT = 23;
/** Replaces a link or an emoji that is already weighed. */
const PLACEHOLDER = '\n';
const PLACEHOLDER_WEIGHT = 1;
/** The weight of the shortest link, `a.co`, as text. */
const SHORTEST_LINK = 4;
/** X reads no longer text as a link. */
const LONGEST_LINK = 2_000;
const LONGEST_LABEL = 63;

const ENDING = String.raw`(?:${[...DOMAIN_ENDINGS].join('|')})(?![a-z0-9@+-])`;
const HOST = String.raw`(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+${ENDING}`;
const PATH = String.raw`\/(?:[a-z0-9!*';:=+,.$\/%#_~@|&-]*[a-z0-9+=_#\/-])?`;
const QUERY = String.raw`\?[a-z0-9!?*'@();:&=+$\/%#_.,~|-]*[a-z0-9_&=#\/-]`;
const PORT = String.raw`(?::\d{1,5})?`;
const SPACE = String.raw`[^\S\uFEFF]`;
/** The places where nothing before can belong to the link. */
const ALONE = String.raw`^|${SPACE}|["“”«»<>{}]|(?:^|${SPACE})[(\['‘]`;
const WITHOUT_SPACES = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}、。！？「」（）]`;
/** X reads less of its short links. */
const NOT_SHORT_LINK = String.raw`(?!t\.co(?![a-z0-9]))`;
/** A link, or the beginning of one, as X recognizes it. */
const LINK = new RegExp(
  [
    String.raw`(?<=${ALONE}|${WITHOUT_SPACES})https?:\/\/${NOT_SHORT_LINK}(${HOST})${PORT}(?:${PATH})?(?:${QUERY})?`,
    String.raw`(?<=${ALONE})${NOT_SHORT_LINK}(${HOST})(?:${PORT}${PATH}(?:${QUERY})?)?`,
  ].join('|'),
  'giu',
);

/** A dot and the letters that may be the ending of a host. */
const DOT = /\.([a-z]*)([^\s.]?)/giu;

/**
 * The weight of a text on X: 1 for the signs of most alphabets, 2 for others and emoji, 23 for a link.
 *
 * If a link or an emoji is uncertain, the result is the higher weight.
 */
export function xLength(text: string): number {
  let links = 0;
  const rest = withoutFoldedLetters(text.normalize()).replace(LINK, (link: string, host = '', bare = '') => {
    if (link.length > LONGEST_LINK || `${host}${bare}`.split('.').some((label) => label.length > LONGEST_LABEL)) return link;
    links += 1;
    return PLACEHOLDER;
  });
  let doubtful = 0;
  for (const [, ending = '', next = ''] of rest.matchAll(DOT)) if (mayEndAHost(ending.toLowerCase(), next)) doubtful += 1;
  return links * (LINK_WEIGHT - PLACEHOLDER_WEIGHT) + doubtful * (LINK_WEIGHT - SHORTEST_LINK) + weightOfSigns(rest);
}

/** Whether X reads a part of the text as a link. */
export function hasXLink(text: string): boolean {
  return withoutFoldedLetters(text.normalize()).search(LINK) >= 0;
}

/** The parts of a text that X certainly reads as links. */
export function xLinksIn(text: string): readonly RegExpExecArray[] {
  return [...withoutFoldedLetters(text).matchAll(LINK)];
}

function mayEndAHost(ending: string, next: string): boolean {
  // A letter of another script may begin an ending in that script.
  if (ending === '') return /[\p{L}\p{M}]/u.test(next);
  if (ending === 'xn') return true;
  if (/[\d@+-]/.test(next)) return false;
  return ending.length > 2 || DOMAIN_ENDINGS.has(ending);
}

/** An emoji. The first alternative matches those that begin no sequence, because `\p{RGI_Emoji}` is slow. */
const EMOJI = /[\p{Emoji_Presentation}--\p{Emoji_Component}](?![\p{Emoji_Component}\uFE0E])|\p{RGI_Emoji}(?!\uFE0E)/gv;

function weightOfSigns(text: string): number {
  let weight = 0;
  const others = text.replace(EMOJI, (emoji, at: number) => {
    // A placeholder, because the halves of a pair on both sides of an emoji are not one sign.
    weight += (isOneEmoji(emoji) && !isTorn(text, at) ? 2 : weightOfPoints(emoji)) - PLACEHOLDER_WEIGHT;
    return PLACEHOLDER;
  });
  return weight + weightOfPoints(others);
}

/** A link before a keycap may take its digit. */
function isTorn(text: string, at: number): boolean {
  return /[\d#*]/.test(text.charAt(at)) && /[^\s\u20E3]/.test(text.charAt(at - 1));
}

function weightOfPoints(text: string): number {
  let weight = 0;
  for (const sign of text) weight += isLight(sign.codePointAt(0) ?? 0) ? 1 : 2;
  return weight;
}

/** The third configuration of twitter-text. The signs for copyright and trade mark are emoji if they stand alone. */
function isLight(point: number): boolean {
  if (point === 0xa9 || point === 0xae) return false;
  return point <= 4351 || (point >= 8192 && point <= 8205) || (point >= 8208 && point <= 8223) || (point >= 8242 && point <= 8247);
}

const ZWJ = '\u200D';
const TONE = String.raw`[\u{1F3FB}-\u{1F3FF}]`;
/** Emoji that had skin tones from the beginning. */
const TONED = String.raw`[\p{Emoji_Modifier_Base}--[👫👬👭👯💏💑🤌🤏🤝🤼🥷🦻🧍🧎🧏\u{1FA70}-\u{1FAFF}]]`;
const WORKS = String.raw`[👨👩]${TONE}?${ZWJ}(?:[⚕⚖✈]\uFE0F|[🌾🍳🎓🎤🎨🏫🏭💻💼🔧🔬🚀🚒🦰-🦳])`;
const GENDERED = String.raw`(?:[🏃🏄🏊👮👱👳👷💁💂💆💇🙅🙆🙇🙋🙍🙎🚣🚴-🚶🤦🤷-🤹🤽🤾🦸🦹🧖-🧝]${TONE}?|[⛹🏋🏌🕵](?:\uFE0F|${TONE})|[👯🤼🧞🧟])${ZWJ}[♀♂]\uFE0F`;
const FAMILIES = String.raw`(?:[👨👩]${ZWJ})?[👨👩]${ZWJ}(?:👦|👧(?:${ZWJ}[👦👧])?|👦${ZWJ}👦)`;
const COUPLES = String.raw`👩${ZWJ}❤\uFE0F${ZWJ}(?:💋${ZWJ})?[👨👩]|👨${ZWJ}❤\uFE0F${ZWJ}(?:💋${ZWJ})?👨`;
const FLAGS = String.raw`🏳\uFE0F${ZWJ}🌈|🏴${ZWJ}☠\uFE0F|\p{RGI_Emoji_Tag_Sequence}|[\p{RGI_Emoji_Flag_Sequence}--\q{🇨🇶}]`;
const ONE_EMOJI = new RegExp(
  String.raw`^(?:[\p{Basic_Emoji}--\q{♾️|⚧️}]|${TONED}${TONE}|${WORKS}|${GENDERED}|${FAMILIES}|${COUPLES}|${FLAGS}|\p{Emoji_Keycap_Sequence})$`,
  'v',
);

/** Whether X counts a sequence as one emoji. X splits later sequences. */
function isOneEmoji(emoji: string): boolean {
  return ONE_EMOJI.test(emoji);
}
