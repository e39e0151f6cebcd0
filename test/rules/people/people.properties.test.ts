import { expect, test } from 'vitest';
import type { ListEntry } from '#src/rules/lists.ts';
import { fc, runs } from '../../support/property.ts';
import { entry, peopleRule, PeopleStage } from './people-stage.ts';

const SERVERS = ['1', '2'] as const;
const PEOPLE = ['ada', 'grace', 'linus'] as const;
const ACCOUNTS = ['twitch', 'kick'] as const;

type Command =
  | { readonly kind: 'add'; readonly server: string; readonly person: string; readonly on: readonly string[] }
  | { readonly kind: 'remove'; readonly server: string; readonly person: string }
  | { readonly kind: 'start'; readonly account: string; readonly person: string }
  | { readonly kind: 'end'; readonly account: string; readonly person: string }
  | { readonly kind: 'fail'; readonly account: string | undefined }
  | { readonly kind: 'request'; readonly server: string; readonly person: string }
  | { readonly kind: 'lists'; readonly isReadable: boolean };

const server = fc.constantFrom(...SERVERS);
const person = fc.constantFrom(...PEOPLE);
const account = fc.constantFrom(...ACCOUNTS);
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), server, person, on: fc.subarray([...ACCOUNTS], { minLength: 1 }) }),
  fc.record({ kind: fc.constant('remove' as const), server, person }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('start' as const), account, person }) },
  fc.record({ kind: fc.constant('end' as const), account, person }),
  fc.record({ kind: fc.constant('fail' as const), account: fc.option(account, { nil: undefined }) }),
  fc.record({ kind: fc.constant('request' as const), server, person }),
  fc.record({ kind: fc.constant('lists' as const), isReadable: fc.boolean() }),
);

/** The possible announcements, without episodes: names that were read before, with another stream than at that read. */
class Model {
  /** The names that a poll read for an entry, and the stream at the last read. */
  readonly #read = new Map<string, number | undefined>();
  #names = new Map<string, readonly string[]>();

  /** The entries, as `server/person`, that this poll may announce; others must stay silent. */
  poll(
    names: ReadonlyMap<string, readonly string[]>,
    streamOf: (name: string) => number | undefined,
    isRead: (name: string) => boolean,
  ): ReadonlySet<string> {
    const allowed = new Set<string>();
    // A name that left the list is new when it comes back.
    for (const [key, before] of this.#names)
      for (const name of before) if (!names.get(key)?.includes(name)) this.#read.delete(`${key} ${name}`);
    for (const [key, some] of names) {
      for (const name of some) {
        if (!isRead(name)) continue;
        const id = `${key} ${name}`;
        const now = streamOf(name);
        if (now !== undefined && this.#read.has(id) && this.#read.get(id) !== now) allowed.add(key);
        this.#read.set(id, now);
      }
    }
    this.#names = new Map(names);
    return allowed;
  }
}

test('a list announces only names that it had before and that went live since', async () => {
  let announced = 0;
  const failedWith: string[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(command, { maxLength: 3 }), { minLength: 8, maxLength: 20, size: 'max' }), async (polls) => {
      const stage = new PeopleStage(peopleRule('people: team, confirm: { gone: 1 }'));
      const model = new Model();
      const entries = new Map<string, ListEntry>();
      const live = new Map<string, number>();
      let [isReadable, streams] = [true, 0];
      for (const commands of polls) {
        const requested = new Set<string>();
        for (const one of commands) {
          if (one.kind === 'add') {
            const fields = Object.fromEntries(ACCOUNTS.map((name) => [name, one.on.includes(name) ? one.person : '']));
            entries.set(`${one.server}/${one.person}`, entry(`${one.server}/${one.person}`, fields));
          } else if (one.kind === 'remove') entries.delete(`${one.server}/${one.person}`);
          else if (one.kind === 'start') live.set(`${one.account} ${one.person}`, live.get(`${one.account} ${one.person}`) ?? ++streams);
          else if (one.kind === 'end') live.delete(`${one.account} ${one.person}`);
          else if (one.kind === 'fail') stage.failing = new Set(one.account === undefined ? [] : [one.account]);
          else if (one.kind === 'request') requested.add(`team/${one.server}/${one.person}`);
          else if (one.kind === 'lists') ({ isReadable } = one);
        }
        stage.live = Object.fromEntries(
          ACCOUNTS.map((of) => [
            of,
            Object.fromEntries([...live].flatMap(([name, number]) => (name.startsWith(of) ? [[name.slice(of.length + 1), number]] : []))),
          ]),
        );
        stage.entries = isReadable
          ? [...entries.values()].toSorted((a, b) => (`${a.server}${a.id}` < `${b.server}${b.id}` ? -1 : 1))
          : undefined;
        const { lines, advanced } = await stage.poll(requested);

        const fired = lines.filter((line) => line.startsWith('then')).map((line) => line.split(' ')[1] ?? '');
        expect(new Set(fired).size).toBe(fired.length);
        if (!advanced.change) {
          failedWith.push(...lines);
          continue;
        }
        const names = new Map(
          [...entries].map(([key, { id, fields }]) => [key, ACCOUNTS.filter((of) => fields[of] !== '').map((of) => `${of} ${id}`)]),
        );
        const allowed = model.poll(
          names,
          (name) => live.get(name),
          (name) => !stage.failing.has(name.split(' ')[0] ?? ''),
        );
        for (const key of fired) {
          announced++;
          expect(entries.has(key)).toBe(true);
          expect(allowed.has(key) || requested.has(`team/${key}`)).toBe(true);
        }
        // Of a removed entry, nothing stays open.
        const open = [...stage.state.episodes.values()].filter(({ phase }) => phase !== 'closed').map(({ key }) => key);
        expect(open.filter((key) => !entries.has(key.slice('team/'.length)))).toEqual([]);
        expect(new Set(open).size).toBe(open.length);
      }
    }),
    { numRuns: runs(75, 1_500) },
  );
  expect(failedWith).toEqual([]);
  expect(announced).toBeGreaterThan(20);
});
