import { canonical } from '#src/clients/operation/json.ts';
import { plainValue } from '#src/rules/document/plain-value.ts';
import type { Location, Path } from '#src/rules/document/report.ts';
import type { WhenDraft } from '#src/rules/grammar/rule-file.ts';
import { shapeOf } from '#src/rules/shape/shape.ts';
import type { CheckContext } from './check-context.ts';
import { fixedText } from './fixed-values.ts';
import { valueAt } from './json-path.ts';
import type { PlacedStep } from './place-steps.ts';

/** A message that every firing of a rule edits. */
export interface EditedMessage {
  /** Equal for the same message. */
  readonly target: string;
  readonly location: Location;
}

/** The messages that all firings of a rule edit. */
export function editedMessagesOf(placed: readonly PlacedStep[], context: CheckContext): readonly EditedMessage[] {
  return placed.flatMap((step) => {
    const edit = editOf(step, context);
    const name = edit && fixedText(edit.name, context);
    if (!edit || name === undefined) return [];
    return step.accounts.map((account) => ({ target: canonical([account, edit.key, name]), location: edit.location }));
  });
}

/** Warns of two steps of a list that edit one message: the text of the first is lost. */
export function checkRepeatedEdits(placed: readonly PlacedStep[], context: CheckContext): void {
  const seen = new Set<string>();
  for (const step of placed) {
    const edit = editOf(step, context);
    if (!edit || step.draft.forEach !== undefined) continue;
    const key = canonical([step.section, edit.key, edit.name, step.draft.if ?? '', step.draft.every ?? '', step.afterMs ?? 0]);
    if (seen.has(key)) {
      context.report.warning(
        edit.location,
        'edited-twice',
        'a step above also edits this message: only the last edit stays',
        'remove one of the steps, or edit another message',
      );
    }
    seen.add(key);
  }
}

/** Warns of a step that sends the same as a step above it, at the same time. */
export function checkRepeatedSteps(placed: readonly PlacedStep[], { document, report }: CheckContext): void {
  const seen = new Set<string>();
  for (const { section, draft, declared, accounts, path, afterMs = 0 } of placed) {
    if (declared?.kind !== 'write' || declared.effect !== 'creates' || report.hasErrors) continue;
    const { do: verb = '', if: condition = '', forEach = '', every = '' } = draft;
    const parameters = plainValue(document, [...path, 'with'], shapeOf(declared.params)) ?? null;
    const keys = accounts.map((account) => canonical([section, afterMs, verb, account, condition, forEach, every, parameters]));
    if (keys.some((key) => seen.has(key)))
      report.warning(document.locationOf([...path, 'do']), 'repeated-step', 'a step above sends the same', 'remove one of the steps');
    for (const key of keys) seen.add(key);
  }
}

interface Edit {
  readonly key: string;
  /** As written. */
  readonly name: string;
  readonly location: Location;
}

/** The message that a step edits: its id, or the name of a standing message. Undefined if it edits none. */
function editOf({ declared, path }: PlacedStep, { document }: CheckContext): Edit | undefined {
  if (declared?.kind !== 'write' || declared.effect !== 'sets') return undefined;
  const shape = shapeOf(declared.params);
  if (shape.kind !== 'record' || !shape.fields.has('content')) return undefined;
  const key = ['message', 'name'].find((one) => shape.fields.has(one));
  if (key === undefined) return undefined;
  const name = valueAt(plainValue(document, [...path, 'with'], shape), [key]);
  return typeof name === 'string' ? { key, name, location: document.locationOf([...path, 'with', key]) } : undefined;
}

/** A rule whose history another rule reads. */
export interface FollowedRule {
  /** The id of a rule, or of an instance of `each`. */
  readonly rule: string;
  readonly location: Location;
}

const READS_HISTORY: ReadonlySet<string | undefined> = new Set(['history.getEpisodes', 'history.getDeliveries', 'history.getTotals']);

/** The rules whose history a rule reads, if their ids are fixed. */
export function followedRules({ watch }: WhenDraft, placed: readonly PlacedStep[], context: CheckContext): readonly FollowedRule[] {
  const { document } = context;
  const paths: readonly Path[] = [
    ...(READS_HISTORY.has(watch) ? [['when', 'with']] : []),
    ...placed.flatMap(({ draft, path }) => (READS_HISTORY.has(draft.do) ? [[...path, 'with']] : [])),
  ];
  return paths.flatMap((path) => {
    const written = valueAt(plainValue(document, path, { kind: 'anything' }), ['rule']);
    const rule = typeof written === 'string' ? fixedText(written, context) : undefined;
    return rule === undefined ? [] : [{ rule, location: document.locationOf([...path, 'rule']) }];
  });
}
