import { fc } from '../../support/property.ts';

/** How a program writes a file. */
export type Way = 'inPlace' | 'replaced' | 'backup' | 'halves' | 'windows' | 'link';

/** Why a file cannot be read. */
export type Unreadable = 'dangling' | 'outside' | 'utf16' | 'huge';

/** Which version of a rule the person who acts has seen. */
export type Seen = 'now' | 'old' | 'none';

/** An action on the running rules, of one person. */
export type PersonAct =
  | { readonly kind: 'pause'; readonly rule: number; readonly minutes: number | undefined; readonly seen: Seen }
  | { readonly kind: 'plan'; readonly rule: number; readonly inMinutes: number; readonly minutes: number | undefined }
  | { readonly kind: 'resume' | 'cancelPlans'; readonly rule: number; readonly seen: Seen }
  | { readonly kind: 'setValue'; readonly rule: number; readonly value: number; readonly seen: Seen };

/** An edit of the rules folder. */
export type FileAct =
  | { readonly kind: 'write' | 'turn' | 'comment' | 'break' | 'empty' | 'forget'; readonly file: number; readonly way: Way }
  | { readonly kind: 'rename'; readonly file: number; readonly way: Way; readonly isMarked: boolean }
  | { readonly kind: 'split'; readonly file: number; readonly way: Way; readonly each: readonly string[] }
  | { readonly kind: 'start'; readonly file: number; readonly way: Way; readonly value: number }
  | { readonly kind: 'damage'; readonly file: number; readonly how: Unreadable }
  | { readonly kind: 'create'; readonly name: number; readonly way: Way }
  | { readonly kind: 'copy' | 'move' | 'remove' | 'take'; readonly file: number; readonly name: number }
  | { readonly kind: 'continue'; readonly file: number; readonly other: number }
  | { readonly kind: 'checkout'; readonly back: number };

/** The actions of people and processes in a walk. */
export type Act =
  | PersonAct
  /** `isSeen`: whether Fanfare reads the folder after the edit. */
  | { readonly kind: 'edit'; readonly edits: readonly FileAct[]; readonly isSeen: boolean }
  /** Several people act while the folder is read. */
  | { readonly kind: 'atOnce'; readonly edit: FileAct | undefined; readonly acts: readonly PersonAct[]; readonly turns: number }
  | { readonly kind: 'pass'; readonly minutes: number }
  | { readonly kind: 'restart' }
  | { readonly kind: 'draft'; readonly name: number; readonly hasTests: boolean; readonly people: number };

const number = fc.nat(7);
const seen = fc.constantFrom<Seen>('now', 'now', 'old', 'none');
const way = fc.constantFrom<Way>('inPlace', 'replaced', 'backup', 'halves', 'windows', 'link');
const someMinutes = fc.constantFrom(3, 30, undefined);

function kind<K extends string>(...all: readonly K[]): fc.Arbitrary<K> {
  return fc.constantFrom(...all);
}

const personActs = {
  pause: fc.record({ kind: kind('pause'), rule: number, minutes: someMinutes, seen }),
  plan: fc.record({ kind: kind('plan'), rule: number, inMinutes: fc.constantFrom(2, 10), minutes: someMinutes }),
  resume: fc.record({ kind: kind('resume', 'cancelPlans'), rule: number, seen }),
  setValue: fc.record({ kind: kind('setValue'), rule: number, value: fc.nat(99), seen }),
} as const;
const personAct: fc.Arbitrary<PersonAct> = fc.oneof(...Object.values(personActs));

const fileActs: readonly fc.Arbitrary<FileAct>[] = [
  fc.record({ kind: kind('write', 'comment'), file: number, way }),
  fc.record({ kind: kind('turn'), file: number, way }),
  fc.record({ kind: kind('break', 'empty'), file: number, way }),
  fc.record({ kind: kind('rename'), file: number, way, isMarked: fc.boolean() }),
  fc.record({ kind: kind('forget'), file: number, way }),
  fc.record({ kind: kind('split'), file: number, way, each: fc.subarray(['a', 'b', 'c']) }),
  fc.record({ kind: kind('start'), file: number, way, value: fc.nat(99) }),
  fc.record({ kind: kind('damage'), file: number, how: fc.constantFrom<Unreadable>('dangling', 'outside', 'utf16', 'huge') }),
  fc.record({ kind: kind('create'), name: number, way }),
  fc.record({ kind: kind('copy', 'move', 'remove', 'take'), file: number, name: number }),
  fc.record({ kind: kind('continue'), file: number, other: number }),
  fc.record({ kind: kind('checkout'), back: fc.nat(5) }),
];
const fileAct: fc.Arbitrary<FileAct> = fc.oneof(...fileActs);

function editOf(one: fc.Arbitrary<FileAct>): fc.Arbitrary<Act> {
  return fc.record({
    kind: kind('edit'),
    edits: fc.array(one, { minLength: 1, maxLength: 2 }),
    isSeen: fc.constantFrom(true, true, true, false),
  });
}

const always: readonly fc.Arbitrary<Act>[] = [fc.record({ kind: kind('pass'), minutes: fc.constantFrom(1, 1, 5, 20) }), editOf(fileAct)];

const sometimes: readonly fc.Arbitrary<Act>[] = [
  ...fileActs.map(editOf),
  ...Object.values(personActs),
  fc.record({
    kind: kind('atOnce'),
    edit: fc.option(fileAct, { nil: undefined }),
    acts: fc.array(personAct, { minLength: 1, maxLength: 3 }),
    turns: fc.nat(30),
  }),
  fc.record({ kind: kind('restart') }),
  fc.record({ kind: kind('draft'), name: number, hasTests: fc.boolean(), people: fc.constantFrom(1, 2) }),
];

/** A walk has a few kinds of acts, because with all of them, most acts undo or hide the effects of others. */
export const someActs: fc.Arbitrary<readonly Act[]> = fc
  .subarray([...sometimes], { minLength: 2, maxLength: 6 })
  .chain((some) => fc.array(fc.oneof(...always, ...some), { minLength: 8, maxLength: 25, size: 'max' }));
