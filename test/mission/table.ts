import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PARAMETERS_OF_A_WALK, type MissionOperation } from './document.ts';
import { camel, twinOf } from './names.ts';
import type { Ground, Row } from './rows.ts';

export interface Table<G> {
  /** What the document lists. */
  readonly document: readonly MissionOperation[];
  /** The class: each of its methods has to be in a row. */
  readonly client: { readonly prototype: object };
  readonly rows: readonly Row<G>[];
  /** Operations that the document does not have. */
  readonly additions: readonly Row<G>[];
  readonly open: () => Promise<G & AsyncDisposable>;
  /** A platform that takes only so many requests at one instant is opened for each row anew. */
  readonly groundPer: 'table' | 'row';
}

/** The platform that the cases of one group run against: each has its own subjects, and reads from the world what it expects. */
function opened<G>(open: () => Promise<G & AsyncDisposable>): () => G {
  let ground: (G & AsyncDisposable) | undefined;
  beforeAll(async () => {
    ground = await open();
  });
  afterAll(() => ground?.[Symbol.asyncDispose]());
  return () => ground ?? expect.fail('the platform did not start');
}

/** Every operation of a document, in every form of its arguments, against one running platform. */
export function proves<G extends Ground<unknown>>({ document, client, rows, additions, open, groundPer }: Table<G>): void {
  const all = [...rows, ...additions];
  const shared = groundPer === 'table' ? opened(open) : undefined;

  test('the table has the operations of the document, and with the additions every method of the class', () => {
    const methods = all.flatMap(({ name, cases }) => (cases.some(({ twin }) => twin) ? [camel(name), twinOf(name)] : [camel(name)]));

    expect(rows.map(({ name }) => name)).toEqual(document.map(({ name }) => name));
    expect(new Set(methods)).toEqual(new Set(methodsOf(client)));
  });

  test.for(document)('$name has a case for each parameter, and for each form that it may have', ({ name, parameters, forms }) => {
    const shown = rows.find((one) => one.name === name)?.cases.map(({ form }) => form) ?? [];
    const wanted = [
      ...Object.entries(forms).flatMap(([parameter, accepted]) => accepted.map((form) => `${parameter}: ${form}`)),
      ...Object.keys(parameters).filter((parameter) => !PARAMETERS_OF_A_WALK.includes(parameter) && !(parameter in forms)),
    ];

    expect(
      wanted.filter(
        (form) =>
          !shown.some((one) => one === form || one.startsWith(`${form} `) || one.startsWith(`${form}:`) || one.startsWith(`${form},`)),
      ),
    ).toEqual([]);
  });

  describe.for(all)('$name', ({ name, cases }) => {
    const here = shared ?? opened(open);

    test.for(cases)('$form', async ({ prove, twin }) => {
      const ground = here();
      ground.called.clear();

      await prove(ground);

      expect([...ground.called]).toEqual(expect.arrayContaining(twin ? [camel(name), twinOf(name)] : [camel(name)]));
    });
  });
}

/** Whatever a class has declared. */
function methodsOf({ prototype }: { readonly prototype: object }): readonly string[] {
  const chain = [prototype, Object.getPrototypeOf(prototype) as object]; // the class that withOperations makes stands below
  return chain.flatMap((one) =>
    Object.entries(Object.getOwnPropertyDescriptors(one)).flatMap(([name, { value }]) => (isOperation(value) ? [name] : [])),
  );
}

function isOperation(value: unknown): boolean {
  return typeof value === 'function' && 'declared' in value;
}
