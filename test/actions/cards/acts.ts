import { fc } from '../../support/property.ts';
import type { AttemptFailure } from '../../support/fake-platform.ts';
import { someEdit, type WalkedRules } from './walked-rules.ts';

/** The actions of streamers, people, platforms and processes in a walk. */
export type Act =
  | { readonly kind: 'start' }
  | { readonly kind: 'end'; readonly number: number }
  | { readonly kind: 'title' | 'return'; readonly number: number; readonly title: string }
  | { readonly kind: 'pass'; readonly minutes: number }
  | { readonly kind: 'pause' | 'resume'; readonly rule: 'card' | 'changes' }
  | { readonly kind: 'restart' | 'failPolls' | 'rename' }
  | { readonly kind: 'edit' | 'editWhileStopped'; readonly change: Partial<WalkedRules> }
  | { readonly kind: 'off' | 'gone' | 'down'; readonly minutes: number }
  | { readonly kind: 'crash'; readonly isSent: boolean }
  | { readonly kind: 'fail'; readonly failures: readonly (AttemptFailure | undefined)[] };

const number = fc.nat(3);
const rule = fc.constantFrom('card' as const, 'changes' as const);
const title = fc.constantFrom('chess', 'go', 'poker');
const failure = fc.constantFrom<AttemptFailure | undefined>(
  ...([undefined, 'answerLost', 'unanswered', 'unavailable', 'doneAndUnavailable', 'rateLimited', 'unreachable'] as const),
);

function kind<K extends Act['kind']>(...all: readonly K[]): fc.Arbitrary<K> {
  return fc.constantFrom(...all);
}

const pass = fc.record({ kind: kind('pass'), minutes: fc.constantFrom(0.5, 1, 1, 2, 7) });

const always: readonly fc.Arbitrary<Act>[] = [
  fc.record({ kind: kind('title', 'return'), number, title }),
  fc.record({ kind: kind('title'), number: fc.constant(0), title }),
  fc.record({ kind: kind('return'), number: fc.constant(0), title }),
  fc.record({ kind: kind('end'), number }),
  fc.record({ kind: kind('start') }),
];

const sometimes: readonly fc.Arbitrary<Act>[] = [
  fc.record({ kind: kind('pause', 'resume'), rule }),
  fc.record({ kind: kind('restart') }),
  fc.record({ kind: kind('failPolls') }),
  fc.record({ kind: kind('rename') }),
  fc.record({ kind: kind('edit', 'editWhileStopped'), change: someEdit }),
  fc.record({ kind: kind('off', 'gone', 'down'), minutes: fc.constantFrom(0.5, 1, 3) }),
  fc.record({ kind: kind('crash'), isSent: fc.boolean() }),
  fc.record({ kind: kind('fail'), failures: fc.array(failure, { minLength: 1, maxLength: 3 }) }),
];

/**
 * A walk has a few kinds of acts, because with all of them, most acts undo or hide the effects of others. It begins with a live stream, and
 * time passes after most acts.
 */
export const someActs: fc.Arbitrary<readonly Act[]> = fc
  .subarray([...sometimes], { minLength: 1, maxLength: 3 })
  .chain((some) => {
    const act = fc.oneof(...always, ...some);
    const step = fc.oneof(fc.tuple(act, pass), fc.tuple(act, pass), fc.tuple(act));
    return fc.array(step, { minLength: 6, maxLength: 16, size: 'max' });
  })
  .map((steps) => [{ kind: 'start' }, { kind: 'pass', minutes: 1 }, ...steps.flat()]);
