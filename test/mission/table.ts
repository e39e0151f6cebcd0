import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { Container } from '#src/clients/paging/container.ts';
import { PARAMETERS_OF_A_WALK, type MissionOperation } from './document.ts';
import { invoke, type Args } from './invoke.ts';
import { twinOf } from './names.ts';

/** A call of an operation, and for each of its parameters another value, which changes the answer. */
export interface Answered {
  readonly args: Args;
  readonly other: Args;
  /** For each parameter: the further parameters with which it has an effect. */
  readonly given?: Readonly<Record<string, Args>>;
  /** For each parameter: another form of the same value, which does not change the answer. */
  readonly same?: Args;
  /** The part of the answer that is compared; default: the answer. */
  readonly seen?: (answer: never) => unknown;
  /** The answer contains this. */
  readonly holds?: object | string | number;
  /** Whether the list fits on one page. */
  readonly short?: boolean;
  /** How many pages of a long list are read; default: all. */
  readonly most?: number;
}

/** A call of an operation that changes a state, and for each of its parameters another value, which changes another state. */
export interface Changing {
  readonly args: Args;
  readonly other: Args;
  /** For each parameter: the further parameters with which it has an effect. */
  readonly given?: Readonly<Record<string, Args>>;
  /** Prepares the opposite state. */
  readonly first?: (args: never) => Promise<unknown>;
  readonly state: (args: never) => Promise<boolean | undefined>;
  /** The state after the call, and not before it. */
  readonly becomes: boolean;
}

/** A client of a running platform, and its calls. */
export interface World extends AsyncDisposable {
  readonly client: object;
  /** The pauses that the client made. */
  readonly pausesMs: number[];
  readonly answers: Readonly<Record<string, Answered>>;
  readonly changes: Readonly<Record<string, Changing>>;
}

const SOMETHING: unknown = expect.anything();

/** Declares the tests that each operation of a document works, that each parameter has an effect, and that lists have pages. */
export function proves({
  operations,
  open,
}: {
  readonly operations: readonly MissionOperation[];
  readonly open: () => Promise<World>;
}): void {
  let world: World;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('the table has the operations of the document, and another value for each parameter', () => {
    const wanted = operations.map(({ name, parameters }) => [
      name,
      new Set(Object.keys(parameters).filter((parameter) => !PARAMETERS_OF_A_WALK.includes(parameter))),
    ]);
    const given = Object.entries({ ...world.answers, ...world.changes }).map(([name, { other }]) => [name, new Set(Object.keys(other))]);

    expect(Object.fromEntries(given)).toEqual(Object.fromEntries(wanted));
  });

  describe.for(operations)('$name', (operation) => {
    test('has an effect by each of its parameters', async () => {
      const [answer, change] = [world.answers[operation.name], world.changes[operation.name]];
      const answersToCall = answer && (await answersTo(world.client, operation, answer));
      const states = change && (await statesAround(world.client, operation, change));
      const [becomes, returns] = [change?.becomes, operation.returns === 'boolean' ? true : SOMETHING];

      expect({ ...answersToCall }).toMatchObject(answer ? { outcome: answer.holds ?? SOMETHING, unequal: [], effectless: [] } : {});
      expect(states).toEqual(states?.map(([args]) => [args, !becomes, becomes, returns]));
    });

    test.runIf(operation.iter)('has pages', async () => {
      const { args, short = false, most = 'all' } = world.answers[operation.name] ?? { args: {} };
      const list = async (more: Args): Promise<Listed> => (await invoke(world.client, operation, { ...args, ...more })) as Listed; // a list operation
      world.pausesMs.length = 0;

      const whole = await list({ pages: most, wait_time: 0 });
      const one = await list({});
      const two = await list({ pages: 2 });
      const slow = await list({ pages: 2, wait_time: 5 });
      const twin = invoke(world.client, operation, { ...args, pages: most, wait_time: 0 }, twinOf(operation.name));
      const pages = await Array.fromAsync(twin as AsyncIterable<readonly [Listed, readonly Item[]]>); // it yields the list and a page
      const { cursor } = one;
      const isContinued = cursor !== undefined && most === 'all' && 'cursor' in operation.parameters;
      const rest = isContinued ? (await list({ pages: 'all', wait_time: 0, cursor })).items : whole.items.slice(one.length);

      const ids = idsOf(whole.items);
      expect(new Set(ids).size).toBe(whole.length);
      expect([one.length < whole.length, one.hasNext, whole.hasNext]).toEqual([!short, !short, most !== 'all']);
      expect([two.length > one.length, slow.length]).toEqual([!short, two.length]);
      expect([one, two, slow].map(({ items }) => idsOf(items))).toEqual([one, two, slow].map(({ length }) => ids.slice(0, length)));
      expect(world.pausesMs).toEqual(short ? [] : [2000, 5000]);
      expect(pages.slice(0, 2).flatMap(([, items]) => idsOf(items))).toEqual(idsOf(two.items));
      expect(pages.flatMap(([, items]) => idsOf(items))).toEqual(ids);
      expect(idsOf(pages.at(-1)?.[0].items ?? [])).toEqual(ids);
      expect(idsOf([...one.items, ...rest])).toEqual(ids);
    });
  });
}

type Item = { readonly id: string };
type Listed = Container<Item>;

function idsOf(items: readonly Item[]): readonly string[] {
  return items.map(({ id }) => id);
}

/** For each parameter: the arguments with its first and with its other value. */
function variantsOf({ args, other, given = {} }: Answered | Changing): readonly (readonly [string, Args, Args])[] {
  return Object.entries(other).map(([parameter, value]) => {
    const before = { ...args, ...given[parameter] };
    return [parameter, before, { ...before, [parameter]: value }];
  });
}

/** The answer, the parameters of which another form changes it, and those of which another value does not. */
async function answersTo(client: object, operation: MissionOperation, row: Answered): Promise<object> {
  async function read(args: Args): Promise<unknown> {
    const answer = await invoke(client, operation, args);
    const part: unknown = row.seen ? await row.seen(answer as never) : answer; // each row reads the answer of its operation
    return plain(part instanceof Container ? part.items : part);
  }
  const outcomeOf = (args: Args): Promise<string> => read(args).then(JSON.stringify, faultOf);

  const outcome = await read(row.args);
  const unequal: string[] = [];
  for (const [parameter, value] of Object.entries(row.same ?? {})) {
    if ((await outcomeOf({ ...row.args, [parameter]: value })) !== JSON.stringify(outcome)) unequal.push(parameter);
  }
  const effectless: string[] = [];
  for (const [parameter, before, after] of variantsOf(row)) {
    if ((await outcomeOf(before)) === (await outcomeOf(after))) effectless.push(parameter);
  }
  return { outcome, unequal, effectless };
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, field: unknown) => (name === 'fetchedAt' ? undefined : field)));
}

function faultOf(error: unknown): string {
  if (error instanceof PlatformError) return error.fault;
  throw error;
}

/** For each variant of the arguments: the states before and after, and the answer. */
async function statesAround(
  client: object,
  operation: MissionOperation,
  row: Changing,
): Promise<readonly (readonly [Args, ...unknown[]])[]> {
  const { first, state } = row;
  const states: (readonly [Args, ...unknown[]])[] = [];
  for (const args of [row.args, ...variantsOf(row).map(([, , after]) => after)]) {
    await first?.(args as never); // each row has the parameters of its operation
    const before = await state(args as never);
    const answer = await invoke(client, operation, args);
    states.push([args, before, await state(args as never), answer]);
  }
  return states;
}
