import { setImmediate as nextLoop } from 'node:timers/promises';
import { canonical } from '#src/clients/operation/json.ts';
import type { CheckedFile } from '#src/rules/check/check-across-files.ts';
import { isKept } from '#src/rules/kept-values.ts';
import { diagnosticLine, type Diagnostic } from '#src/rules/diagnostic.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { RuleSet } from '#src/rules/rule-set.ts';
import { errorsByFile } from './broken-files.ts';
import { describeEdit } from './describe-edit.ts';
import { cardsText, openCards, mergeOpenCards, type OpenCards, type PlatformState } from './open-cards.ts';
import type { ReloadPlan, RuleChange } from './plan-reload.ts';

/** With more changes at once, the lines only name the edited rules. */
const MOST_DESCRIBED = 100;
/** The largest number of instances that a line names. */
const MOST_NAMED = 5;

/** A line about a change of one rule. */
export interface PlanLine {
  /** `+` new, `~` changed, `-` deleted, `!` error or warning. */
  readonly symbol: '+' | '~' | '-' | '!';
  readonly text: string;
  /** Absent if the line is about a file. */
  readonly rule?: string | undefined;
}

interface WarningsOptions {
  readonly before: Pick<RuleSet, 'diagnostics'>;
  readonly after: Pick<RuleSet, 'diagnostics'>;
  /** The files that changed. */
  readonly changed: ReadonlySet<string>;
}

/** Describes a reload, with one line for each rule. Call it before the reload, because the reload closes cards. */
export async function planLines(
  { changes, closeOut }: Pick<ReloadPlan, 'changes' | 'closeOut'>,
  kept: PlatformState,
): Promise<readonly PlanLine[]> {
  const lines: PlanLine[] = [];
  for (const change of changes) {
    const heir = change.kind === 'deleted' ? renamedTo(change.before, changes) : undefined;
    lines.push(...(await linesOf(change, { closeOut, kept, heir, isBrief: changes.length > MOST_DESCRIBED })));
    // Many changes must not block other work of the process.
    await nextLoop();
  }
  return lines;
}

/** One line for each file with errors, by file. */
export function problemLines({ diagnostics, asBefore }: Pick<RuleSet, 'diagnostics' | 'asBefore'>): ReadonlyMap<string, PlanLine> {
  const lines = [...errorTexts(diagnostics)].map(([file, text]): readonly [string, PlanLine] => {
    const outcome = asBefore.has(file) ? 'the last valid version keeps running' : 'the rule does not run';
    return [file, { symbol: '!', text: `${text}; ${outcome}` }];
  });
  return new Map(lines);
}

/** The first error of each file with errors, by file. */
export function errorTexts(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, string> {
  const texts = [...errorsByFile(diagnostics)].map(([file, [first, ...others]]): readonly [string, string] => {
    const more = others.length > 0 ? ` (and ${others.length} more: npx fanfare check ${file})` : '';
    return [file, `${first ? diagnosticLine(first) : file}${more}`];
  });
  return new Map(texts);
}

/** One line for each new warning of a changed file. */
export function warningLines({ before, after, changed }: WarningsOptions): readonly PlanLine[] {
  const known = new Set(before.diagnostics.map(({ file, message }) => JSON.stringify([file, message])));
  return after.diagnostics
    .filter(({ severity, file, message }) => severity === 'warning' && changed.has(file) && !known.has(JSON.stringify([file, message])))
    .map((diagnostic) => ({ symbol: '!', text: diagnosticLine(diagnostic) }));
}

interface LinesOptions {
  readonly closeOut: readonly Rule[];
  readonly kept: PlatformState;
  /** The new name of a deleted rule, if it seems to be renamed. */
  readonly heir: string | undefined;
  readonly isBrief: boolean;
}

/** The new rule with the file or with the text of a deleted one. */
function renamedTo({ file, source }: CheckedFile, changes: readonly RuleChange[]): string | undefined {
  const isHeir = (one: RuleChange): boolean =>
    one.kind === 'new' && (one.after.file === file || withoutId(one.after.source) === withoutId(source));
  return changes.find(isHeir)?.name;
}

function withoutId(source: string): string {
  return source.replace(/^id:.*$/mu, '');
}

async function linesOf(change: RuleChange, { closeOut, kept, heir, isBrief }: LinesOptions): Promise<readonly PlanLine[]> {
  const { kind, name } = change;
  if (kind === 'new') return [{ symbol: '+', text: name + instancesOf(change.after.rules), rule: name }];
  if (kind === 'deleted') {
    const cards = mergeOpenCards(await Promise.all(change.before.rules.map((rule) => openCards(rule, kept))));
    const hint = heir === undefined ? '' : `; if ${heir} is the same rule, add was: ${name} to it`;
    return [{ symbol: '-', text: `${name}${leftText(cards)}${hint}`, rule: name }];
  }
  const { before, after } = change;
  if (kind === 'renamed') {
    const cards = mergeOpenCards(await Promise.all(before.rules.map((rule) => openCards(rule, kept))));
    const open = cards.count > 0 ? `, with ${cardsText(cards)}` : '';
    return [
      { symbol: '~', text: `${name}: was ${before.rules[0]?.name ?? 'another rule'}${open}`, rule: name },
      ...(await ignoredStarts(change, kept)),
    ];
  }
  const ended = closeOut.filter((rule) => rule.name === name);
  const isMoved = before.file !== after.file;
  const isEdited = before.source !== after.source;
  const edits = !isEdited ? [] : [isBrief ? 'edited' : describeEdit(before.source, after.source)];
  return [
    { symbol: '~', text: `${name}: ${[...(isMoved ? [`now in ${after.file}`] : []), ...edits].join(', ')}`, rule: name },
    ...(await Promise.all(ended.map(async (rule) => lineOfEnded(rule.id, await openCards(rule, kept))))),
    ...(await lostResults(change, kept)),
    ...(await ignoredStarts(change, kept)),
  ];
}

function leftText(cards: OpenCards): string {
  if (cards.count > 0) return ` (${cardsText(cards)}, unchanged)`;
  return cards.others > 0 ? ` (still open: ${cards.others}; their messages stay)` : '';
}

function lineOfEnded(id: string, cards: OpenCards): PlanLine {
  return { symbol: '-', text: `${id}${cards.count > 0 ? ` (${cardsText(cards)}, closed now)` : ''}`, rule: id };
}

/** A warning if an edit removed steps whose results open episodes need. */
async function lostResults(
  { name, before, after }: Extract<RuleChange, { kind: 'changed' }>,
  kept: PlatformState,
): Promise<readonly PlanLine[]> {
  const [old, now] = [before.rules[0], after.rules[0]];
  if (!old || !now) return [];
  const lost = Object.keys(old.names.steps).filter((id) => !(id in now.names.steps));
  if (lost.length === 0) return [];
  const cards = mergeOpenCards(await Promise.all(after.rules.map((rule) => openCards(rule, kept, lost))));
  if (cards.count === 0) return [];
  const results = lost.map((id) => `steps.${id}`).join(' and ');
  return [
    {
      symbol: '!',
      text: `${name} no longer has ${results}, so its open messages are neither updated nor closed (${cardsText(cards)})`,
      rule: name,
    },
  ];
}

/** A warning for each edited start value that a stored value hides. */
async function ignoredStarts(
  { kind, name, before, after }: Extract<RuleChange, { kind: 'changed' | 'renamed' }>,
  { ruleStates }: PlatformState,
): Promise<readonly PlanLine[]> {
  const old = new Map(before.rules[0]?.keep?.map((value) => [value.name, value.start]));
  const edited = (after.rules[0]?.keep ?? []).filter((value) => {
    const start = old.get(value.name);
    return start !== undefined && canonical(start) !== canonical(value.start);
  });
  if (edited.length === 0) return [];
  // The state of a renamed rule moves later.
  const ids = after.rules.flatMap(({ id, was }) => (kind === 'renamed' && was !== undefined ? [id, was] : [id]));
  const memories = await Promise.all(ids.map((id) => ruleStates.load(id)));
  return edited
    .filter((value) => memories.some(({ memory: { kept = {} } }) => isKept(kept[value.name], value.type)))
    .map((value) => ({
      symbol: '!',
      text: `${name} continues with the stored value of ${value.name}, because a start value is read before the first firing only; to see and set it: npx fanfare keep ${name} ${value.name}`,
      rule: name,
    }));
}

function instancesOf(rules: readonly Rule[]): string {
  const [first] = rules;
  if (!first || first.id === first.name) return '';
  const named = rules.slice(0, MOST_NAMED).map(({ id, name }) => id.slice(name.length + 1));
  return ` (${rules.length}: ${named.join(', ')}${rules.length > MOST_NAMED ? ', …' : ''})`;
}
