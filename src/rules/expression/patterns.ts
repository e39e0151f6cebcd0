import { RE2JS } from 're2js';
import { ExpressionError } from './expression-error.ts';
import type { IdleClause } from './decided-clauses.ts';
import { callArguments, calledName, walk, written, type Node } from './language/tree.ts';

/** Control characters, without tab and line breaks, which have the same meaning in a pattern. */
const CONTROL = /(?![\t\n\r])\p{Cc}/gu;
/** How the language writes some of them. */
const ESCAPES: Readonly<Record<string, string>> = { '\u0007': 'a', '\b': 'b', '\v': 'v', '\f': 'f' };
/** The form of patterns in JavaScript and in test files. */
const BETWEEN_SLASHES = /^\/(.+)\/([a-z]*)$/su;
const EMPTY_ALTERNATIVE = /(?:^|\(|\|)\||\|(?=$|\))/u;
/** Fields whose texts have slashes. */
const WITH_SLASHES = /url|uri|link|path/iu;

/** Refuses a pattern with control characters, which are usually a `\b` that YAML or the expression has read. */
export function refusePattern(call: Node): void {
  const pattern = callArguments(call)[1];
  const text = literalOf(pattern);
  const [control] = text?.match(CONTROL) ?? [];
  if (!pattern || text === undefined || control === undefined) return;
  const escape = escapeOf(control);
  const meant = text.replace(CONTROL, escapeOf);
  if (written(pattern).includes(control)) {
    const hint = `write r'${meant.replaceAll('\\', '\\\\')}' in a value in double quotes, or start the value with | on a separate line`;
    throw new ExpressionError(`YAML made a control character of ${escape}`, { at: pattern.start, hint });
  }
  throw new ExpressionError(`the pattern has a control character where you wrote ${escape}`, {
    at: pattern.start,
    hint: `put r before the quotes: r${inQuotes(meant, pattern)}`,
  });
}

function escapeOf(control: string): string {
  return `\\${ESCAPES[control] ?? `x${control.charCodeAt(0).toString(16).padStart(2, '0')}`}`;
}

/** Finds patterns between slashes, patterns that match every text, and words that `\b` hides. */
export function misreadPatterns(tree: Node): readonly IdleClause[] {
  const found: IdleClause[] = [];
  walk(tree, (node) => {
    const [searched, pattern] = calledName(node) === 'rx' ? callArguments(node) : [];
    const text = literalOf(pattern);
    if (!searched || !pattern || text === undefined) return;
    const [, inner, flags = ''] = BETWEEN_SLASHES.exec(text) ?? [];
    if (inner !== undefined && !WITH_SLASHES.test(written(searched))) {
      const hint = `write ${inQuotes(`${flags.includes('i') ? '(?i)' : ''}${inner}`, pattern)}`;
      found.push({ at: pattern.start, message: 'this pattern searches for the slashes too', hint });
    } else if (matchesEveryText(text)) {
      const hint = EMPTY_ALTERNATIVE.test(text) ? 'remove the empty alternative' : 'write a pattern that needs at least one character';
      found.push({ at: pattern.start, message: 'this pattern matches every text', hint });
    }
    const hidden = hiddenWord(text);
    if (hidden !== undefined) {
      const message = String.raw`this pattern does not find the word ${hidden}, because \b knows only the letters a to z`;
      const hint = String.raw`write (^|\P{L}) instead of \b before the word, and (\P{L}|$) behind it`;
      found.push({ at: pattern.start, message, hint });
    }
  });
  return found;
}

/** A word of the pattern that begins or ends with a letter such as `ü`: RE2 finds no `\b` beside it. */
function hiddenWord(pattern: string): string | undefined {
  if (!pattern.includes(String.raw`\b`)) return undefined;
  const [bounded, free] = [pattern, pattern.replaceAll(/\\(.)/gsu, (escape, sign) => (sign === 'b' ? '(?:)' : escape))].map((one) =>
    RE2JS.compile(one),
  );
  const words = pattern.replaceAll(/\\./gsu, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.find((word) => /^\P{ASCII}|\P{ASCII}$/u.test(word) && free?.test(word) && !bounded?.test(word));
}

/** Whether every text has an empty match: at its start or its end, if the pattern requires only one of them. */
function matchesEveryText(pattern: string): boolean {
  const needsStart = /\^|\\A/u.test(pattern);
  const needsEnd = /\$|\\z/u.test(pattern);
  return !(needsStart && needsEnd) && !/\\b/iu.test(pattern) && RE2JS.compile(pattern).test('');
}

/** The text in the quotes of the literal, which may be in a value with the other ones. */
function inQuotes(text: string, literal: Node): string {
  const quote = written(literal).at(-1) ?? '';
  return quote + text + quote;
}

function literalOf(node: Node | undefined): string | undefined {
  return node?.op === 'value' && typeof node.args === 'string' ? node.args : undefined;
}
