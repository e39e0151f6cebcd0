import { fc } from '../../support/property.ts';
import type { AttemptFailure } from '../../support/fake-platform.ts';

/** An action of one person on one of the posts. */
export type PersonAct =
  | { readonly kind: 'edit'; readonly post: number; readonly isThread: boolean; readonly knowsEdits: boolean }
  | { readonly kind: 'move'; readonly post: number; readonly inMinutes: number }
  | { readonly kind: 'moveBack' | 'cancel'; readonly post: number };

/** The actions of people, platforms and processes in a walk. */
export type Act =
  | {
      readonly kind: 'write';
      readonly accounts: readonly string[];
      readonly isThread: boolean;
      readonly when: number | 'now' | 'queue';
      readonly clicks: number;
    }
  | PersonAct
  | { readonly kind: 'atOnce'; readonly acts: readonly PersonAct[]; readonly isDue: boolean }
  /** A person acts while a request is under way. */
  | { readonly kind: 'during'; readonly act: PersonAct }
  | { readonly kind: 'pass'; readonly minutes: number }
  | { readonly kind: 'restart' }
  | { readonly kind: 'stopFor'; readonly minutes: number }
  | { readonly kind: 'crash'; readonly isSent: boolean }
  | { readonly kind: 'resend'; readonly post: number }
  | { readonly kind: 'hold'; readonly account: string; readonly minutes: number }
  | { readonly kind: 'fail'; readonly account: string; readonly failures: readonly (AttemptFailure | undefined)[] };

const post = fc.nat(5);
const account = fc.constantFrom('x', 'club');
const minutes = fc.constantFrom(1, 5, 20, 50);
const failure = fc.constantFrom<AttemptFailure | undefined>(
  ...([undefined, 'answerLost', 'unanswered', 'unavailable', 'doneAndUnavailable', 'rateLimited', 'unreachable'] as const),
);

function kind<K extends Act['kind']>(...all: readonly K[]): fc.Arbitrary<K> {
  return fc.constantFrom(...all);
}

const edit = fc.record({ kind: kind('edit'), post, isThread: fc.boolean(), knowsEdits: fc.boolean() });
const move = fc.record({ kind: kind('move'), post, inMinutes: fc.constantFrom(-600, 0, 3, 10, 45, 600_000) });
const backOrCancel = fc.record({ kind: kind('moveBack', 'cancel'), post });
const personAct: fc.Arbitrary<PersonAct> = fc.oneof(edit, move, backOrCancel);

const always: readonly fc.Arbitrary<Act>[] = [
  fc.record({
    kind: kind('write'),
    accounts: fc.constantFrom(['x'], ['x', 'club']),
    isThread: fc.boolean(),
    when: fc.constantFrom(2, 5, 10, 30, 'now' as const, 'queue' as const),
    clicks: fc.constantFrom(1, 2),
  }),
  fc.record({ kind: kind('pass'), minutes }),
];

const sometimes: readonly fc.Arbitrary<Act>[] = [
  edit,
  move,
  backOrCancel,
  fc.record({ kind: kind('atOnce'), acts: fc.array(personAct, { minLength: 2, maxLength: 3 }), isDue: fc.boolean() }),
  fc.record({ kind: kind('during'), act: personAct }),
  fc.record({ kind: kind('restart') }),
  fc.record({ kind: kind('stopFor'), minutes: fc.constantFrom(5, 90) }),
  fc.record({ kind: kind('crash'), isSent: fc.boolean() }),
  fc.record({ kind: kind('resend'), post }),
  fc.record({ kind: kind('hold'), account, minutes: fc.constantFrom(5, 90) }),
  fc.record({ kind: kind('fail'), account, failures: fc.array(failure, { minLength: 1, maxLength: 3 }) }),
  fc.record({ kind: kind('fail'), account, failures: fc.constantFrom(['forbidden'] as const) }),
];

/** A walk has a few kinds of acts, because with all of them, most acts undo or hide the effects of others. */
export const someActs: fc.Arbitrary<readonly Act[]> = fc
  .subarray([...sometimes], { minLength: 2, maxLength: 5 })
  .chain((some) => fc.array(fc.oneof(...always, ...some), { minLength: 8, maxLength: 25, size: 'max' }));
