import { fc } from '../../support/property.ts';
import type { AttemptFailure } from '../../support/fake-platform.ts';
import { someEdit, type WalkedRule } from './walked-rule.ts';

/** What people, platforms and processes do in a walk. */
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

const someAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: kind('pass'), minutes: fc.constantFrom(0.5, 1, 1.5, 4, 15, 30), lag }) },
  { weight: 8, arbitrary: fc.record({ kind: kind('start'), user }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('end'), user }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('pause'), minutes: someMinutes }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('plan'), inSeconds: fc.constantFrom(20, 60, 90, 600), minutes: someMinutes }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('resume') }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('cancelPlans', 'restart', 'failPolls') }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('mute', 'resend', 'announce'), number }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('answer'), number, choices: fc.array(choice, { minLength: 1, maxLength: 2 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('edit', 'editWhileStopped', 'rename'), change }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('off', 'gone'), minutes: fc.constantFrom(0.5, 1, 3), lag, change }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('crash'), isSent: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('fail'), failures: fc.array(failure, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('fail'), failures: fc.constantFrom(['forbidden'] as const) }) },
);

export const someActs: fc.Arbitrary<readonly Act[]> = fc.array(someAct, { minLength: 10, maxLength: 40, size: 'max' });
