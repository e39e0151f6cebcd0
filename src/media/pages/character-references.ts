/** From no-break space on, as the characters follow each other. */
const LATIN = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot
  cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute
  Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde
  auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave
  uacute ucirc uuml yacute thorn yuml`;
const LATIN_FROM = 0xa0;

/** Those that texts are written with. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN.split(/\s+/).map((name, index) => [name, String.fromCodePoint(LATIN_FROM + index)] as const),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", ndash: '–', mdash: '—', horbar: '―', hellip: '…', bull: '•' }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„', lsaquo: '‹', rsaquo: '›', prime: '′' }),
  ...Object.entries({ euro: '€', trade: '™', larr: '←', rarr: '→', hearts: '♥', star: '☆', starf: '★', check: '✓', infin: '∞' }),
  ...Object.entries({ OElig: 'Œ', oelig: 'œ', Scaron: 'Š', scaron: 'š', Yuml: 'Ÿ', ensp: '\u2002', emsp: '\u2003', thinsp: '\u2009' }),
  ...Object.entries({ zwnj: '\u200C', zwj: '\u200D', lrm: '\u200E', rlm: '\u200F', Tab: '\t', NewLine: '\n', num: '#', excl: '!' }),
]);

const REFERENCE = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z][a-z\d]{1,31}));/gi;
const REPLACEMENT = '\uFFFD';
/** Numbers from here to 0x9f are meant as Windows has them. */
const CONTROLS_FROM = 0x80;
const WINDOWS = new TextDecoder('windows-1252');

/** The text that HTML means; a name that is not known stays as it is written. */
export function withoutReferences(html: string): string {
  return html.replaceAll(REFERENCE, (whole, hexadecimal?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    return characterOf(hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16));
  });
}

function characterOf(code: number): string {
  if (code >= CONTROLS_FROM && code < LATIN_FROM) return WINDOWS.decode(Uint8Array.of(code));
  const isCharacter = code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : REPLACEMENT;
}
