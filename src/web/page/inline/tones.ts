import type { Decision, Delivery } from '../../client/records.ts';

/** The meaning of a badge, which selects its colour. */
export type Tone = 'good' | 'bad' | 'doubt' | 'busy' | 'calm';

export const OUTCOME_TONES: Readonly<Record<Decision['outcome'], Tone>> = {
  fired: 'good',
  suppressed: 'doubt',
  deferred: 'busy',
  waiting: 'busy',
  closed: 'calm',
  unchanged: 'calm',
  failed: 'bad',
};

export const STATE_TONES: Readonly<Record<Delivery['state'], Tone>> = {
  pending: 'busy',
  sending: 'busy',
  asked: 'busy',
  sent: 'good',
  failed: 'bad',
  unknown: 'doubt',
  skipped: 'calm',
};
