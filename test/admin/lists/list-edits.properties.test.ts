import { describe, expect, test } from 'vitest';
import { createListActions, type ListActions } from '#src/admin/actions/list-actions.ts';
import { createListSource } from '#src/admin/lists/list-source.ts';
import { listYaml } from '#src/admin/lists/list-yaml.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { Refused } from '#src/errors.ts';
import { openListFolder } from '#src/engine/lists/list-folder.ts';
import { checkList } from '#src/rules/check/check-list.ts';
import { EntryFields, EntryId } from '#src/rules/grammar/list-file.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { codePoint, fc, runs } from '../../support/property.ts';

const ADA = { name: 'ada', via: 'cli', role: 'admin' } as const;

const text = fc.string({
  unit: fc.oneof(codePoint, fc.constantFrom(...Array.from(' \n\t#:-"\'{}[],&*!|>%@`~0123456789eE.+truefalsenull'))),
  maxLength: 20,
});
const value = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.boolean(),
  fc.array(fc.oneof(text, fc.integer()), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b c', 'twitch'), text, { maxKeys: 2 }),
);
const name = fc.stringMatching(/^[A-Za-z]\w{0,5}$/u);
const fields = fc
  .dictionary(name, value, { maxKeys: 4, noNullPrototype: true })
  .filter((some) => EntryFields.safeParse(some).success) as fc.Arbitrary<JsonObject>; // its values are JSON
const id = fc
  .oneof(fc.constantFrom('ada', 'grace', 'alan', '1', 'true', '-', 'a: b'), text)
  .filter((one) => EntryId.safeParse(one).success);

test('a list that is exported and imported has the same entries', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(id, fields), { selector: ([one]) => one, maxLength: 6 }), (entries) => {
      const { entries: read, diagnostics } = checkList({ file: 'team.yaml', source: listYaml(entries) });

      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(new Map(Object.entries(read ?? {}))).toEqual(new Map(entries));
    }),
    { numRuns: runs(100, 5_000), examples: [[[['ada', { line: { a: ' \n' } }]]]] },
  );
});

const IDS = ['ada', 'grace', 'alan'] as const;
type Edit =
  | { readonly kind: 'add' | 'change'; readonly id: string; readonly fields: JsonObject }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'import'; readonly entries: Readonly<Record<string, JsonObject>>; readonly mode: 'merge' | 'replace' }
  | { readonly kind: 'undo'; readonly back: number };

const few = fc.dictionary(fc.constantFrom('twitch', 'line'), fc.constantFrom('a', 'b'), { noNullPrototype: true });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constantFrom('add' as const, 'change' as const), id: fc.constantFrom(...IDS), fields: few }),
  fc.record({ kind: fc.constant('remove' as const), id: fc.constantFrom(...IDS) }),
  fc.record({
    kind: fc.constant('import' as const),
    entries: fc.dictionary(fc.constantFrom(...IDS), few, { noNullPrototype: true }),
    mode: fc.constantFrom('merge' as const, 'replace' as const),
  }),
  fc.record({ kind: fc.constant('undo' as const), back: fc.nat(3) }),
);

type State = Readonly<Record<string, JsonObject>>;

/** The model: each change is the whole list before and after it. A change can be undone if the entries that it changed are as it left them. */
class Model {
  state: State = {};
  readonly changes: { readonly before: State; readonly after: State }[] = [];

  apply(one: Edit): void {
    const next = this.#next(one);
    if (!next || equal(next, this.state)) return;
    this.changes.push({ before: this.state, after: next });
    this.state = next;
  }

  #next(one: Edit): State | undefined {
    const { state } = this;
    switch (one.kind) {
      case 'add':
        return one.id in state ? undefined : { ...state, [one.id]: one.fields };
      case 'change':
        return one.id in state ? { ...state, [one.id]: { ...state[one.id], ...one.fields } } : undefined;
      case 'remove':
        return one.id in state ? Object.fromEntries(Object.entries(state).filter(([entry]) => entry !== one.id)) : undefined;
      case 'import':
        return one.mode === 'merge' ? { ...state, ...one.entries } : one.entries;
      case 'undo': {
        const change = this.changes.at(-1 - one.back);
        if (!change) return undefined;
        const changed = IDS.filter((entry) => !equal(change.before[entry], change.after[entry]));
        if (!changed.every((entry) => equal(state[entry], change.after[entry]))) return undefined;
        const kept = Object.entries(state).filter(([entry]) => !changed.some((other) => other === entry));
        const back = changed.flatMap((entry) => (change.before[entry] ? [[entry, change.before[entry]] as const] : []));
        return Object.fromEntries([...kept, ...back]);
      }
    }
  }
}

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(one: unknown): unknown {
  if (typeof one !== 'object' || one === null) return one;
  return Object.fromEntries(
    Object.entries(one)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

function actionsOn(store: Store): ListActions {
  return createListActions({ lists: store.lists, fileLists: () => Promise.resolve(new Map()), rules: () => [], auditLog: store.auditLog });
}

/** Makes an edit; a refusal changes nothing. Returns the id of the change. */
async function perform(actions: ListActions, one: Edit, changes: readonly string[]): Promise<string | undefined> {
  const list = 'team';
  try {
    switch (one.kind) {
      case 'add':
        return (await actions.addListEntries({ list, entries: [{ id: one.id, fields: one.fields }] }, ADA)).change?.id;
      case 'change':
        return (await actions.changeListEntry({ list, entry: one.id, fields: one.fields }, ADA)).change?.id;
      case 'remove':
        return (await actions.removeListEntries({ list, entries: [one.id] }, ADA)).change?.id;
      case 'import':
        return (await actions.importList({ list, source: listYaml(Object.entries(one.entries)), mode: one.mode }, ADA)).change?.id;
      case 'undo': {
        const change = changes.at(-1 - one.back);
        return change === undefined ? undefined : (await actions.undoListChange({ change }, ADA)).change?.id;
      }
    }
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

test('edits and undos have the results of a model of whole lists, and rules read the same entries', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 12 }), async (edits) => {
      await using store = await openStore();
      const actions = actionsOn(store);
      const source = createListSource({ folder: openListFolder('/nowhere'), store: store.lists });
      const model = new Model();
      const changes: string[] = [];
      for (const one of edits) {
        model.apply(one);
        const change = await perform(actions, one, changes);
        if (change !== undefined) changes.push(change);
        const read = (await source.current()).entries('team').map((entry) => [entry.id, entry.fields] as const);
        expect([changes.length, Object.fromEntries(read)]).toEqual([model.changes.length, model.state]);
      }
    }),
    { numRuns: runs(15, 500) },
  );
});

describe('two editors at once', () => {
  test('each edit is kept, and of two edits of one entry one is first', async () => {
    await using store = await openStore();
    const actions = actionsOn(store);
    await actions.addListEntries({ list: 'team', entries: [{ id: 'ada', fields: {} }] }, ADA);
    await Promise.all([
      actions.changeListEntry({ list: 'team', entry: 'ada', fields: { twitch: 'ada' } }, ADA),
      actions.changeListEntry({ list: 'team', entry: 'ada', fields: { kick: 'ada_k' } }, ADA),
      actions.addListEntries({ list: 'team', entries: [{ id: 'grace', fields: {} }] }, ADA),
    ]);

    expect([...((await store.lists.entries({ list: 'team' })) ?? [])]).toEqual([
      ['ada', { twitch: 'ada', kick: 'ada_k' }],
      ['grace', {}],
    ]);
    const both = await Promise.allSettled(
      [1, 2].map(() => actions.addListEntries({ list: 'team', entries: [{ id: 'alan', fields: {} }] }, ADA)),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

test.for([2 ** 53, -(2 ** 53), 1e300, [1, 2 ** 60], { a: 2 ** 53 }])('%j is rejected, because it would not be exact', (id) => {
  expect(EntryFields.safeParse({ discord: id }).success).toBe(false);
  expect(EntryFields.safeParse({ discord: JSON.stringify(id) }).success).toBe(true);
});
