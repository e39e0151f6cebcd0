import { looksUpRecord, type Catalogue } from '#src/clients/operation/declared.ts';
import { listResult, mergeShapes, withFields, itemShape } from '#src/rules/shape/operation-shapes.ts';
import { shapeOf, type Field, type RecordShape, type Shape } from '#src/rules/shape/shape.ts';
import { shapeOfValues } from '#src/rules/shape/value-shape.ts';
import { ACCOUNT_FIELDS } from '#src/rules/account-fields.ts';
import { CHANGE_KINDS } from '#src/rules/rule.ts';
import type { CommandOption, KeptType, StepNames, WebhookFields, WebhookType } from '#src/rules/step.ts';
import { personShape, shapeOfLists } from './list-shapes.ts';
import type { Variables } from './language/environment.ts';

/** The kind of a site: fixed at load, about one item, at a firing, in a step, in a step of `quiet`. */
export type ScopeKind = 'fixed' | 'item' | 'firing' | 'step' | 'quiet';

type Named = readonly (readonly [string, Field])[];

const ANYTHING: Shape = { kind: 'anything' };
const TEXT: Shape = { kind: 'text' };
const WHOLE: Shape = { kind: 'whole' };
const NUMBER: Shape = { kind: 'number' };
const INSTANT: Shape = { kind: 'instant' };
const FLAG: Shape = { kind: 'flag' };

/** The shapes of stored values. */
export const KEPT_SHAPES: Readonly<Record<KeptType, Shape>> = {
  whole: WHOLE,
  number: NUMBER,
  flag: FLAG,
  text: TEXT,
  texts: { kind: 'list', of: TEXT },
};

export const OF_LIST = ['items', 'changes'];
export const OF_ITEM = ['item', 'previous', 'change', 'episode'];

/** The variables of a site. */
export function variablesOf(kind: ScopeKind, names: StepNames, catalogue: Catalogue): Variables {
  const constants = [...constantVariables(names), ...listVariables(names)];
  if (kind === 'fixed') return new Map(constants);
  const read = names.watch === undefined ? undefined : readShape(names.watch, names, catalogue);
  const received = names.webhook && fieldsShape(names.webhook);
  if (kind === 'item') return new Map([['item', there(received ?? read ?? ANYTHING)], ...constants]);
  const watched = read && withAccounts(read, names);
  const steps = kind === 'firing' ? undefined : there(stepsShape(names, catalogue));
  return new Map([
    ...(kind === 'quiet' ? [['held', there(deferredShape(watched))] as const] : watched ? watchVariables(watched, names, steps) : []),
    ...(steps ? [['steps', steps] as const] : []),
    ['rule', there(record({ id: there(TEXT), about: maybe(TEXT) }))],
    ['now', there(INSTANT)],
    ...commandVariables(names),
    ...(received ? [['item', there(received)] as const] : []),
    ...keptVariables(names),
    ...constants,
  ]);
}

function constantVariables({ constants }: StepNames): Named {
  return Object.entries(constants ?? {}).flatMap(([name, values]) =>
    Object.keys(values).length === 0 ? [] : [[name, there(shapeOfValues([values]))] as const],
  );
}

function listVariables({ listShapes }: StepNames): Named {
  return listShapes ? [['lists', there(shapeOfLists(listShapes))]] : [];
}

function commandVariables({ command }: StepNames): Named {
  if (!command) return [];
  const options = Object.fromEntries(command.map((option) => [option.name, { shape: optionShape(option), optional: !option.required }]));
  const fields = {
    id: there(TEXT),
    name: there(TEXT),
    user: there(PERSON),
    channel: there(CHANNEL),
    server: there(TEXT),
    locale: there(TEXT),
    options: there(record(options)),
  };
  return [['command', there(record(fields))]];
}

function keptVariables({ keep }: StepNames): Named {
  if (!keep) return [];
  const fields = Object.entries(keep).map(([name, type]) => [name, there(KEPT_SHAPES[type])] as const);
  return [['keep', there(record(Object.fromEntries(fields)))]];
}

/** The shape of the payload of a webhook. */
export function fieldsShape(fields: WebhookFields): RecordShape {
  const shapes = Object.entries(fields).map(([name, { type, optional }]) => [name, { shape: typeShape(type), optional }] as const);
  return record(Object.fromEntries(shapes));
}

const SCALARS = { text: TEXT, number: NUMBER, integer: WHOLE, boolean: FLAG, time: INSTANT } as const;

function typeShape(type: WebhookType): Shape {
  if (typeof type === 'string') return SCALARS[type];
  return 'list' in type ? { kind: 'list', of: typeShape(type.list) } : fieldsShape(type.fields);
}

const PERSON = record({ id: there(TEXT), handle: there(TEXT), displayName: there(TEXT) });
const CHANNEL = record({ id: there(TEXT), name: there(TEXT) });

function optionShape({ type, choices }: CommandOption): Shape {
  switch (type) {
    case 'string':
      return TEXT;
    case 'choice':
      return { kind: 'text', choices };
    case 'integer':
      return WHOLE;
    case 'boolean':
      return FLAG;
    case 'user':
      return PERSON;
    case 'channel':
      return CHANNEL;
  }
}

/** The shape of an item before items of several accounts are united. */
function readShape(verb: string, { byAccount, people, personFields }: StepNames, catalogue: Catalogue): Shape {
  const shape = itemShape(catalogue.get(verb));
  if (!byAccount || shape.kind !== 'record') return shape;
  return withFields(shape, { account: there(TEXT), ...(people && { person: there(personShape(personFields)) }) });
}

function withAccounts(item: Shape, { byAccount }: StepNames): Shape {
  if (!byAccount || item.kind !== 'record') return item;
  const fields = ACCOUNT_FIELDS.flatMap((name) => {
    const field = item.fields.get(name);
    return field ? [[name, field] as const] : [];
  });
  return withFields(item, { accounts: there({ kind: 'list', of: record(Object.fromEntries(fields)) }) });
}

function watchVariables(watched: Shape, { per = 'item' }: StepNames, steps: Field | undefined): Named {
  if (watched.kind !== 'record') return [...(per === 'item' ? OF_ITEM : []), ...OF_LIST].map((name) => [name, there(ANYTHING)]);
  const item = withFields(watched, { rank: there(WHOLE) });
  const change = record(changeFields(item));
  const changes: Field = there({ kind: 'list', of: change });
  const whole: Named = [
    ['items', there({ kind: 'list', of: item })],
    ['changes', there(record(Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, changes]))))],
  ];
  if (per !== 'item') return whole;
  const episode = episodeShape(watched, item);
  return [
    ['item', there(item)],
    ['previous', maybe(item)],
    ['change', maybe(change)],
    ['episode', there(steps ? withFields(episode, { steps }) : episode)],
    ...whole,
  ];
}

function changeFields(item: Shape): Readonly<Record<string, Field>> {
  return {
    kind: there(TEXT),
    item: there(item),
    previous: maybe(item),
    rank: there(WHOLE),
    from: maybe(WHOLE),
    to: maybe(WHOLE),
    threshold: maybe(NUMBER),
    previousThreshold: maybe(NUMBER),
  };
}

/** The firings that quiet hours deferred. */
function deferredShape(watched: Shape | undefined): Shape {
  if (watched === undefined) return { kind: 'list', of: record({ open: there(FLAG) }) };
  if (watched.kind !== 'record') return ANYTHING;
  const item = withFields(watched, { rank: there(WHOLE) });
  return { kind: 'list', of: record({ ...changeFields(item), episode: there(episodeShape(watched, item)), open: there(FLAG) }) };
}

function episodeShape(watched: RecordShape, item: Shape): RecordShape {
  const peaks = numericFields(watched);
  const atPeak = maybe(record({ at: maybe(INSTANT), item: maybe(item) }));
  const span = record({ value: there(TEXT), from: there(INSTANT), to: there(INSTANT), lengthMs: there(WHOLE) });
  return record({
    id: there(TEXT),
    open: there(FLAG),
    returned: there(FLAG),
    startedAt: there(INSTANT),
    lengthMs: there(WHOLE),
    polls: there(WHOLE),
    peak: there({ kind: 'record', fields: new Map(peaks) }),
    games: there({ kind: 'list', of: TEXT }),
    average: there(record(Object.fromEntries(peaks.map(([name]) => [name, maybe(NUMBER)])))),
    atPeak: there(record(Object.fromEntries(peaks.map(([name]) => [name, atPeak])))),
    spans: there({ kind: 'list', of: span }),
  });
}

/** The fields with numbers. */
export function numericFields({ fields }: RecordShape): readonly (readonly [string, Field])[] {
  return [...fields].filter(([, { shape }]) => shape.kind === 'whole' || shape.kind === 'number');
}

function stepsShape(names: StepNames, catalogue: Catalogue): Shape {
  return record(Object.fromEntries(Object.entries(names.steps).map(([id, verb]) => [id, stepField(id, verb, names, catalogue)])));
}

function stepField(id: string, verb: string, { accounts, choices, lists }: StepNames, catalogue: Catalogue): Field {
  const result = withChoices(resultShape(verb, catalogue), choices?.[id]);
  if (lists?.includes(id)) return there({ kind: 'list', of: result });
  if (result.kind !== 'record') return maybe(result);
  const on = record(Object.fromEntries((accounts?.[id] ?? []).map((account) => [account, maybe(result)])));
  return maybe(withFields(result, { own: maybe(result), on: there(on) }));
}

/** The answer to a question with fixed choices. */
function withChoices(answer: Shape, choices: readonly string[] | undefined): Shape {
  return choices && answer.kind === 'record' ? withFields(answer, { choice: maybe({ kind: 'text', choices }) }) : answer;
}

/** The result of a step. */
function resultShape(verb: string, catalogue: Catalogue): Shape {
  const declared = catalogue.get(verb);
  if (!declared) return ANYTHING;
  const shape = declared.kind === 'list' ? listResult(shapeOf(declared.item)) : shapeOf(declared.returns);
  const merged = shape.kind === 'either' ? mergeShapes(shape) : shape;
  return looksUpRecord(declared) && merged.kind === 'record' ? withFields(merged, { gone: maybe(FLAG) }) : merged;
}

function record(fields: Readonly<Record<string, Field>>): RecordShape {
  return { kind: 'record', fields: new Map(Object.entries(fields)) };
}

function there(shape: Shape): Field {
  return { shape, optional: false };
}

function maybe(shape: Shape): Field {
  return { shape, optional: true };
}
