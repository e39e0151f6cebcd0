import type { Rule } from '../client/records.ts';
import type { Tone } from '../page/inline/tones.ts';

/** The state of a rule on the page. `asBefore`: its file has errors, and its last version without errors runs. */
export type RuleState = 'on' | 'failing' | 'asBefore' | 'paused' | 'broken' | 'off' | 'deleted';

/** The colours of the states. */
export const RULE_STATE_TONES: Readonly<Record<RuleState, Tone>> = {
  on: 'good',
  failing: 'doubt',
  asBefore: 'doubt',
  paused: 'bad',
  broken: 'bad',
  off: 'calm',
  deleted: 'bad',
};

/** The state of a rule, or of a file with errors. */
export function stateOfRule({ on, paused, diagnostics, undelivered, lastFailure }: Rule): RuleState {
  const isBroken = diagnostics.some(({ severity }) => severity === 'error');
  if (!on) return isBroken ? 'broken' : 'off';
  if (paused) return 'paused';
  if (isBroken) return 'asBefore';
  return lastFailure || (undelivered && undelivered.failed + undelivered.unknown > 0) ? 'failing' : 'on';
}
