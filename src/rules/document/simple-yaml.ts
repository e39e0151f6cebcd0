import { Pair, Scalar, YAMLMap, YAMLSeq, type Node } from 'yaml';

/** The text is not simple: the YAML library has to read it. */
class NotSimple extends Error {}

type Value = Scalar | YAMLMap | YAMLSeq;

/** Control characters, tabs, other line breaks, and the signs of documents and directives. */
const NOT_SIMPLE =
  /[^\n\u{20}-\u{7e}\u{a0}-\u{d7ff}\u{e000}-\u{fefe}\u{ff00}-\u{fffd}\u{10000}-\u{10ffff}]|[\u2028\u2029]|^(?:---|\.\.\.|%)/mu;

const KEY = /[A-Za-z_][\w.-]*(?=:(?: |$))/my;
const DOUBLE_QUOTED = /"(?:[^"\\\n]|\\["\\/nt])*"/y;
const SINGLE_QUOTED = /'(?:[^'\n]|'')*'/y;
/** A text begins with none of the indicators of YAML. */
const PLAIN = /[^\s\-?:,[\]{}#&*!|>'"%@`][^\n]*/y;
const PLAIN_IN_FLOW = /[^\s\-?:,[\]{}#&*!|>'"%@`][^\n,[\]{}]*/y;
const REST_OF_LINE = / *(?: #[^\n]*)?(?:\n|$)/y;
const BLANK_LINES = /(?: *(?:#[^\n]*)?\n)*(?: *(?:#[^\n]*)?$(?![^]))?/y;
const SPACES = / */y;

const WHOLE = /^(?:0|[1-9]\d*)$/u;
const FLAG = /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/u;
/** Numbers and empty values that are rare in rules. */
const RARE = /^(?:~|[Nn]ull|NULL|[-+.\d][-+.\d_]*(?:[eE][-+]?\d+)?|0o[0-7]+|0x[\da-fA-F]+|[-+]?\.(?:inf|Inf|INF|nan|NaN|NAN))$/u;

/**
 * Reads the YAML of most rules, as the YAML library reads it: maps, lists and texts on one line. Undefined for all other texts.
 *
 * The library takes ten times as long, and thousands of rules are read at start.
 */
export function readSimpleYaml(source: string): Node | undefined {
  if (NOT_SIMPLE.test(source)) return undefined;
  try {
    return new SimpleReader(source).read();
  } catch (error) {
    if (error instanceof NotSimple) return undefined;
    throw error;
  }
}

class SimpleReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): Node {
    this.#skip(BLANK_LINES);
    const column = this.#indentation();
    const value = this.#block(column);
    if (this.#at < this.#source.length) throw new NotSimple();
    return value;
  }

  /** Skips what matches here, and returns its length. */
  #skip(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    const length = pattern.exec(this.#source)?.[0].length;
    if (length === undefined) throw new NotSimple();
    this.#at += length;
    return length;
  }

  /** The text that matches here, behind which reading continues. */
  #take(pattern: RegExp): string {
    const start = this.#at;
    this.#skip(pattern);
    return this.#source.slice(start, this.#at);
  }

  /** Skips the spaces of a line, and returns their number. */
  #indentation(): number {
    return this.#skip(SPACES);
  }

  /** Skips the rest of a line without a value, and the blank lines behind it. Returns the column of the next line, where reading continues. */
  #nextLine(): number {
    this.#skip(REST_OF_LINE);
    this.#skip(BLANK_LINES);
    return this.#at < this.#source.length ? this.#indentation() : -1;
  }

  /** The map or the list that begins here, in this column. */
  #block(column: number): YAMLMap | YAMLSeq {
    return this.#isDash() ? this.#list(column).value : this.#map(column).value;
  }

  #isDash(): boolean {
    return this.#source.startsWith('- ', this.#at) || this.#source.startsWith('-\n', this.#at);
  }

  #map(column: number): { readonly value: YAMLMap; readonly next: number } {
    const map = new YAMLMap<Scalar, Value>();
    map.range = [this.#at, this.#at, this.#at];
    let next = column;
    while (next === column) {
      const key = this.#plain(KEY);
      this.#at++;
      const found = this.#value(column, true);
      map.items.push(new Pair(key, found.value));
      ({ next } = found);
    }
    return this.#ended(map, { next, column });
  }

  #list(column: number): { readonly value: YAMLSeq; readonly next: number } {
    const list = new YAMLSeq<Value>();
    list.range = [this.#at, this.#at, this.#at];
    let next = column;
    while (next === column && this.#isDash()) {
      this.#at++;
      const found = this.#element(column);
      list.items.push(found.value);
      ({ next } = found);
    }
    return this.#ended(list, { next, column });
  }

  #ended<T>(value: T, { next, column }: { readonly next: number; readonly column: number }): { readonly value: T; readonly next: number } {
    if (next > column) throw new NotSimple();
    return { value, next };
  }

  /** An element of a list: a map that begins on the line of the dash, or a value. */
  #element(column: number): { readonly value: Value; readonly next: number } {
    const start = this.#at;
    const spaces = this.#indentation();
    KEY.lastIndex = this.#at;
    if (spaces > 0 && KEY.test(this.#source)) return this.#map(column + 1 + spaces);
    this.#at = start;
    return this.#value(column, false);
  }

  /** The value behind a key or a dash, and the column of the line behind it. */
  #value(column: number, isOfKey: boolean): { readonly value: Value; readonly next: number } {
    const start = this.#at;
    this.#indentation();
    const isEmpty = this.#at === this.#source.length || this.#source.startsWith('\n', this.#at) || this.#source.startsWith('#', this.#at);
    if (!isEmpty) {
      if (this.#at === start) throw new NotSimple();
      const value = this.#inline(PLAIN);
      const next = this.#nextLine();
      // A deeper line continues the value.
      if (next > column) throw new NotSimple();
      return { value, next };
    }
    this.#at = start;
    const inner = this.#nextLine();
    // The list of a key may begin in the column of the key.
    if (isOfKey && inner === column && this.#isDash()) return this.#list(column);
    if (inner <= column) throw new NotSimple();
    return this.#isDash() ? this.#list(inner) : this.#map(inner);
  }

  /** A value on one line. */
  #inline(plain: RegExp): Value {
    switch (this.#source[this.#at]) {
      case '"':
        return this.#quoted(DOUBLE_QUOTED, 'QUOTE_DOUBLE');
      case "'":
        return this.#quoted(SINGLE_QUOTED, 'QUOTE_SINGLE');
      case '[':
        return this.#flowList();
      case '{':
        return this.#flowMap();
      default:
        return this.#plain(plain);
    }
  }

  #flowList(): YAMLSeq {
    const list = new YAMLSeq<Value>();
    list.flow = true;
    this.#flow(list, ']', () => list.items.push(this.#inline(PLAIN_IN_FLOW)));
    return list;
  }

  #flowMap(): YAMLMap {
    const map = new YAMLMap<Scalar, Value>();
    map.flow = true;
    this.#flow(map, '}', () => {
      const key = this.#plain(KEY);
      this.#at++;
      this.#indentation();
      map.items.push(new Pair(key, this.#inline(PLAIN_IN_FLOW)));
    });
    return map;
  }

  /** Reads the parts of a list or map in brackets. */
  #flow(collection: YAMLMap | YAMLSeq, end: string, readPart: () => void): void {
    const start = this.#at++;
    this.#indentation();
    while (this.#source[this.#at] !== end) {
      readPart();
      this.#indentation();
      if (this.#source[this.#at] === ',') {
        this.#at++;
        this.#indentation();
        // A comma before the end is rare.
        if (this.#source[this.#at] === end) throw new NotSimple();
      } else if (this.#source[this.#at] !== end) {
        throw new NotSimple();
      }
    }
    this.#at++;
    collection.range = [start, this.#at, this.#at];
  }

  #quoted(pattern: RegExp, type: Scalar.Type): Scalar {
    const start = this.#at;
    const raw = this.#take(pattern);
    const inside = raw.slice(1, -1);
    const text = type === 'QUOTE_SINGLE' ? inside.replaceAll("''", "'") : inside.includes('\\') ? String(JSON.parse(raw)) : inside;
    return scalar(text, { text, type, range: [start, this.#at, this.#at] });
  }

  #plain(pattern: RegExp): Scalar {
    const start = this.#at;
    const raw = this.#take(pattern);
    const comment = raw.indexOf(' #');
    const text = (comment === -1 ? raw : raw.slice(0, comment)).trimEnd();
    // A colon makes a key of the text before it.
    if (/:(?: |$)/u.test(text) || RARE.test(text) !== WHOLE.test(text)) throw new NotSimple();
    this.#at = start + text.length;
    const value = WHOLE.test(text) ? BigInt(text) : FLAG.test(text) ? text.toLowerCase() === 'true' : text;
    return scalar(value, { text, type: 'PLAIN', range: [start, this.#at, this.#at] });
  }
}

function scalar(
  value: unknown,
  { text, type, range }: { readonly text: string; readonly type: Scalar.Type; readonly range: [number, number, number] },
): Scalar {
  const node = new Scalar(value);
  node.source = text;
  node.type = type;
  node.range = range;
  return node;
}
