import { WARNING_GAP } from '#src/clients/operation/text/content-warning.ts';
import { limitOfReply } from '#src/clients/operation/text/limit.ts';
import type { Path } from '#src/rules/document/report.ts';
import type { ExpressionSite } from '#src/rules/expression/expressions.ts';
import { callArguments, calledName, certain, fieldAccess, written } from '#src/rules/expression/language/tree.ts';
import { meantValue } from '#src/rules/expression/meant-values.ts';
import { variablesOf } from '#src/rules/expression/scopes.ts';
import { isBarePath, literalText, parseTemplate } from '#src/rules/grammar/template.ts';
import { formatList } from '#src/rules/messages/format.ts';
import { shapeAt, type Shape } from '#src/rules/shape/shape.ts';
import type { CheckContext } from './check-context.ts';
import type { CheckedExpression, ParameterText } from './check-expression.ts';
import { clientOf } from './choose-accounts.ts';
import { fixedPieces } from './fixed-values.ts';
import type { PlacedStep } from './place-steps.ts';

/** `{{ }}` without its `$`. `${{` begins an expression, and `$${{` is a literal `${{`. */
const BARE_BRACES = /(?<![${])\{\{[^{}]{1,200}\}\}/u;
/** A field in the braces of other template languages: `${item.title}` and `{item.url}`. */
const SINGLE_BRACES = /(?<!\{)\$?\{\s*((?:item|previous|change|changes|items|episode|steps|rule|vars|each|it)(?:\.\w+)+)\s*\}(?!\})/u;

/** Warns of a text that YAML cuts at " #", and of fields in other braces than `${{ }}`. */
export function checkPlainText(text: string, path: Path, context: CheckContext): void {
  const { document, report } = context;
  checkTrailingComment(path, context);
  const bare = BARE_BRACES.exec(text);
  const found = bare ?? SINGLE_BRACES.exec(text);
  if (!found) return;
  const hint = bare ? `write $${found[0]} to evaluate it` : `write $\{{ ${found[1] ?? ''} }} to evaluate it`;
  report.warning(document.textLocation(path, found.index), 'bare-braces', `${found[0]} is sent as text, not evaluated`, hint);
}

/** `{title}`, `${title}`, `$(title)` and `%title%`. */
const PLACEHOLDER = /(?<![{\w])(?:\$?\{(\w+(?:\.\w+)?)\}|\$\((\w+(?:\.\w+)?)\)|%(\w+)%)(?![}\w])/u;

/** Warns of placeholders that other bots replace. */
export function checkPlaceholders(
  text: string,
  { path, site }: { readonly path: Path; readonly site: ExpressionSite },
  { document, report, catalogue }: CheckContext,
): void {
  const found = PLACEHOLDER.exec(withoutExpressions(text));
  if (!found) return;
  const [written, braced, called, percent] = found;
  const name = braced ?? called ?? percent ?? '';
  const variables = variablesOf(site.kind, site.names, catalogue);
  const isText = (reference: string): boolean => {
    const [variable = '', ...fields] = reference.split('.');
    const shape = variables.get(variable)?.shape;
    const kind = (shape && shapeAt(shape, fields)?.kind) ?? 'record';
    return kind === 'text' || SCALARS.has(kind);
  };
  const { expression, advice } = isText(`item.${name}`) ? { expression: `item.${name}` } : (meantValue(name, isText) ?? {});
  const hint = expression === undefined ? advice : `write $\{{ ${expression} }} to insert it`;
  if (hint === undefined) return;
  report.warning(document.textLocation(path, found.index), 'placeholder', `${written} is sent as text, not replaced`, hint);
}

/** Warns of curly quotes around a text, which YAML keeps. Names of users with quotes are errors. */
export function checkCurlyQuotes(text: string, path: Path, { document, report }: CheckContext): void {
  if (!/^[“”„‘‚].*[“”‘’]$/su.test(text) || !document.isPlain(path)) return;
  report.warning(document.locationOf(path), 'curly-quotes', 'curly quotes are a part of the text', `write "${text.slice(1, -1)}"`);
}

/** Warns of `\n` in a message or a post: YAML makes a line break of it only in double quotes. */
export function checkWrittenBreaks(text: string, path: Path, { document, report }: CheckContext): void {
  const at = withoutExpressions(text).search(/(?<!\\)\\n/u);
  if (at < 0) return;
  const hint = 'for a line break, write "…\\n…" in double quotes, or separate lines below |';
  report.warning(document.textLocation(path, at), 'written-break', '\\n is sent as text, not as a line break', hint);
}

/** Warns of `<t:${{ item.startedAt }}:R>`, because Discord reads only the seconds since 1970 there. */
export function checkWrittenTimes(
  text: string,
  expressions: readonly CheckedExpression[],
  path: Path,
  { document, report }: CheckContext,
): void {
  for (const { expression, at } of expressions) {
    const opening = text.lastIndexOf('${{', at);
    const time = calledName(expression.tree) === 'string' ? callArguments(expression.tree)[0] : expression.tree;
    const isInstant = certain(time?.checkedType)?.name === 'google.protobuf.Timestamp';
    if (!time || !isInstant || !text.slice(0, opening).endsWith('<t:')) continue;
    const style = /\}\}:([a-z])>/iu.exec(text.slice(at))?.[1];
    const call = `discordTime(${written(time)}${style === undefined ? '' : `, '${style}'`})`;
    const message = `Discord shows no time for <t:\${{ ${expression.source} }}>`;
    report.warning(document.textLocation(path, opening), 'written-time', message, `write $\{{ ${call} }} in place of <t:…>`);
  }
}

/** The text with spaces in place of its expressions. */
function withoutExpressions(text: string): string {
  return text.replaceAll(/\$\{\{.*?\}\}/gsu, (expression) => ' '.repeat(expression.length));
}

/** Warns of a text that is only the name of a value, for example `item.title`: without `${{ }}`, Fanfare sends the name. */
export function checkBarePath(
  text: string,
  { path, site }: { readonly path: Path; readonly site: ExpressionSite },
  context: CheckContext,
): void {
  const source = text.trim();
  if (!isBarePath(source) || context.report.hasErrorIn(path)) return;
  const [name = '', ...fields] = source.split('.');
  const isElement = name === 'it' && site.forEach !== undefined;
  const shape = variablesOf(site.kind, site.names, context.catalogue).get(name)?.shape;
  const found = isElement ? ANYTHING : shape && shapeAt(shape, fields);
  if (!found) return;
  const written = `"\${{ ${SCALARS.has(found.kind) ? `string(${source})` : source} }}"`;
  const [key, index] = path.slice(-2);
  const hint = found.kind === 'list' && typeof index === 'number' ? `write ${key}: ${written}` : `write ${written}`;
  context.report.warning(context.document.locationOf(path), 'bare-path', `${source} is taken as text, not evaluated`, hint);
}

const ANYTHING: Shape = { kind: 'anything' };
/** Values that an expression converts to text. */
const SCALARS: ReadonlySet<string> = new Set(['whole', 'number', 'flag', 'instant']);

/** Warns of a text that YAML cuts at " #", for example in `Top #1`. */
export function checkTrailingComment(path: Path, { document, report }: CheckContext): void {
  if (!document.endsAtComment(path)) return;
  const hint = 'put quotes around the text, or write the comment on the line above';
  report.warning(document.locationOf(path), 'trailing-comment', 'the text ends before " #": the rest of the line is a comment', hint);
}

/** The greatest lengths of platform texts without a short limit, by field. */
const LONG_FIELDS: ReadonlyMap<string, number> = new Map([
  ['description', 5_000],
  ['bio', 1_000],
  ['content', 4_000],
  ['text', 500],
]);
/** The least length that an expression adds. */
const SHORT = 10;

/** The text limit of a target. */
interface Limit {
  readonly most: number;
  lengthOf(text: string): number;
  readonly where: string;
  /** The name of the limit, if the platform leaves it to servers. */
  readonly source?: string | undefined;
}

/** Warns of texts that can exceed the limit of a target: by their literal text, or by a field without a short limit. */
export function checkTextLength(texts: readonly ParameterText[], step: PlacedStep, context: CheckContext): void {
  if (step.draft.fit === 'thread') return;
  for (const text of texts) {
    const limit = limitOf(text, step, context);
    if (limit) checkLength(text, { limit, step }, context);
  }
}

function checkLength(
  { path, text, expressions = [] }: ParameterText,
  { limit, step }: { readonly limit: Limit; readonly step: PlacedStep },
  context: CheckContext,
): void {
  const { document, report } = context;
  const template = fixedPieces(text, context);
  const literalLength = limit.lengthOf(literalText(template));
  const open = template.pieces.flatMap((piece) => ('source' in piece ? [piece.at] : []));
  const count = open.length;
  const at = [...step.path, 'with', ...path];
  const fate = step.draft.fit === 'error' ? 'the step fails' : 'Fanfare shortens the text';
  const source = limit.source === undefined ? '' : ` (${limit.source})`;
  if (literalLength + count * SHORT > limit.most && (count > 0 || step.declared?.kind === 'write')) {
    const length =
      count === 0 ? `the text has ${literalLength} characters` : `the text has ${literalLength} characters without its expressions`;
    const message = `${length}, but ${limit.where} accepts ${limit.most}${source}: ${fate}`;
    report.warning(document.locationOf(at), 'long-text', message, 'shorten the text, or add fit: thread');
    return;
  }
  for (const { expression, at: offset } of expressions) {
    const longest = LONG_FIELDS.get(fieldAccess(expression.tree)?.field ?? '') ?? 0;
    if (!open.includes(offset) || longest === 0 || literalLength + longest <= limit.most) continue;
    const hint = `write truncate(${expression.source}, ${Math.max(20, Math.floor((limit.most - literalLength) * 0.6))})`;
    const message = `${expression.source} can be longer than the ${limit.most} characters that ${limit.where} accepts${source}: ${fate}`;
    report.warning(document.textLocation(at, offset), 'long-field', message, hint);
  }
}

/** The smallest limit among the targets. Undefined if none is known, or if the schema checks the length. */
function limitOf(
  { path, shape, text, expressions }: ParameterText,
  { draft, accounts }: PlacedStep,
  context: CheckContext,
): Limit | undefined {
  if (shape?.kind !== 'text') return undefined;
  if (shape.max !== undefined) {
    const isFixed = expressions?.length === 0 && !text.includes('${{');
    return isFixed ? undefined : { most: shape.max, lengthOf: (one) => one.length, where: 'the parameter' };
  }
  if (shape.markup !== 'post') return undefined;
  const limits = context.accounts[clientOf(draft.do ?? '')]?.textLimits ?? {};
  const known = accounts.flatMap((account): readonly Limit[] => {
    const limit = Object.hasOwn(limits, account) ? limits[account] : undefined;
    if (!limit) return [];
    const { most: room, lengthOf, lengthOfWarning = lengthOf } = draft.with?.['replyTo'] === undefined ? limit : limitOfReply(limit);
    const where = room === limit.most ? account : `a reply on ${account}`;
    const most = room - (path[0] === 'text' ? lengthOfWarning(literalWarning(draft.with?.['warning'], context)) : 0);
    return [{ most, lengthOf: (one) => lengthOf(one), where, source: limit.source }];
  });
  return known.toSorted((a, b) => a.most - b.most)[0];
}

/** The literal part of a content warning, with the space below it. */
function literalWarning(warning: unknown, context: CheckContext): string {
  return typeof warning === 'string' ? `${literalText(fixedPieces(warning, context))}${WARNING_GAP}` : '';
}

/** `@ada`, but neither `@ada.bsky.social` nor `@ada@example.social`, which name their server. */
const BARE_NAME = /(?<![\p{L}\p{M}\p{N}_./@＠])[@＠][A-Za-z0-9_]{1,30}(?![A-Za-z0-9_@＠]|[.-][A-Za-z0-9])/u;

/** Warns of a name that means another account on each platform of the step. */
export function checkBareNames(texts: readonly ParameterText[], { draft, accounts, path }: PlacedStep, context: CheckContext): void {
  const platforms = context.accounts[clientOf(draft.do ?? '')]?.platforms ?? {};
  const names = new Set(accounts.flatMap((account) => (Object.hasOwn(platforms, account) ? (platforms[account]?.name ?? []) : [])));
  if (names.size < 2) return;
  for (const text of texts) {
    if (text.shape?.kind !== 'text' || text.shape.markup !== 'post') continue;
    const [name] = BARE_NAME.exec(literalText(parseTemplate(text.text), ' ')) ?? [];
    if (name === undefined) continue;
    const message = `${name} is a different account on ${formatList([...names], 'and')}`;
    const location = context.document.locationOf([...path, 'with', ...text.path]);
    context.report.warning(
      location,
      'bare-name',
      message,
      'write one step for each platform, or a name with its server, as @ada@mastodon.social',
    );
  }
}

/** Parameters of writes with an instant in the future. */
const FUTURE = ['startsAt', 'endsAt', 'sendAt'] as const;

/** Warns of fixed instants in the past, which platforms refuse. */
export function checkPastInstants({ declared, draft, path }: PlacedStep, { document, report, nowMs = -Infinity }: CheckContext): void {
  if (declared?.kind !== 'write') return;
  for (const name of FUTURE) {
    const value = draft.with?.[name];
    if (typeof value !== 'string' || !(Date.parse(value) <= nowMs)) continue;
    const location = document.locationOf([...path, 'with', name]);
    report.warning(location, 'past-instant', `${name} is in the past: the step fails`, 'write a time in the future');
  }
}
