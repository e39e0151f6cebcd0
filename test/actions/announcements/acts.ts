import { fc } from '../../support/property.ts';
import type { AttemptFailure } from '../../support/fake-platform.ts';
import { someEdit, type WalkedRule } from './walked-rule.ts';

/** The actions of people, platforms and processes in a walk. */
export type Act =
  | { readonly kind: 'start' | 'end'; readonly user: string }
  | { readonly kind: 'pass'; readonly minutes: number; readonly lag: number }
  | { readonly kind: 'pause'; readonly minutes: number | undefined }
  | { readonly kind: 'plan'; readonly inSeconds: number; readonly minutes: number | undefined }
  | { readonly kind: 'resume' | 'cancelPlans' | 'restart' | 'failPolls' }
  | { readonly kind: 'mute' | 'resend' | 'announce'; readonly number: number }
  | { readonly kind: 'answer'; readonly number: number; readonly choices: readonly ('send' | 'drop')[] }
  | { readonly kind: 'edit' | 'editWhileStopped' | 'rename'; readonly change: Partial<WalkedRule> }
  | { readonly kind: 'off' | 'gone'; readonly minutes: number; readonly lag: number; readonly change: Partial<WalkedRule> }
  | { readonly kind: 'crash'; readonly isSent: boolean }
  | { readonly kind: 'fail'; readonly failures: readonly (AttemptFailure | undefined)[] };

const user = fc.constantFrom('ada', 'grace', 'linus', 'mary');
const number = fc.nat(9);
const lag = fc.constantFrom(1, 2, 5);
const someMinutes = fc.constantFrom(1, 5, 20, undefined);
const choice = fc.constantFrom('send' as const, 'drop' as const);
const change = fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: someEdit });
const failure = fc.constantFrom<AttemptFailure | undefined>(
  ...([undefined, 'answerLost', 'unanswered', 'unavailable', 'doneAndUnavailable', 'rateLimited', 'unreachable'] as const),
);

function kind<K extends Act['kind']>(...all: readonly K[]): fc.Arbitrary<K> {
  return fc.constantFrom(...all);
}

const always: readonly fc.Arbitrary<Act>[] = [
  fc.record({ kind: kind('pass'), minutes: fc.constantFrom(0.5, 1, 1.5, 4, 15, 30), lag }),
  fc.record({ kind: kind('pass'), minutes: fc.constantFrom(1, 4), lag }),
  fc.record({ kind: kind('start'), user }),
];

const sometimes: readonly fc.Arbitrary<Act>[] = [
  fc.record({ kind: kind('end'), user }),
  fc.record({ kind: kind('pause'), minutes: someMinutes }),
  fc.record({ kind: kind('plan'), inSeconds: fc.constantFrom(20, 60, 90, 600), minutes: someMinutes }),
  fc.record({ kind: kind('resume') }),
  fc.record({ kind: kind('cancelPlans') }),
  fc.record({ kind: kind('restart') }),
  fc.record({ kind: kind('failPolls') }),
  fc.record({ kind: kind('mute'), number }),
  fc.record({ kind: kind('resend'), number }),
  fc.record({ kind: kind('announce'), number }),
  fc.record({ kind: kind('answer'), number, choices: fc.array(choice, { minLength: 1, maxLength: 2 }) }),
  fc.record({ kind: kind('edit', 'editWhileStopped'), change: someEdit }),
  fc.record({ kind: kind('rename'), change }),
  fc.record({ kind: kind('off', 'gone'), minutes: fc.constantFrom(0.5, 1, 3), lag, change }),
  fc.record({ kind: kind('crash'), isSent: fc.boolean() }),
  fc.record({ kind: kind('fail'), failures: fc.array(failure, { minLength: 1, maxLength: 3 }) }),
  fc.record({ kind: kind('fail'), failures: fc.constantFrom(['forbidden'] as const) }),
];

/** A walk has a few kinds of acts, because with all of them, most acts undo or hide the effects of others. */
export const someActs: fc.Arbitrary<readonly Act[]> = fc
  .subarray([...sometimes], { minLength: 1, maxLength: 5 })
  .chain((some) => fc.array(fc.oneof(...always, ...some), { minLength: 8, maxLength: 25, size: 'max' }));
