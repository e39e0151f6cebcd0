import type { Decision, Delivery } from '../../client/records.ts';

/** The meaning of a badge, which selects its colour. */
export type Tone = 'good' | 'bad' | 'doubt' | 'busy' | 'calm';

/** A badge without its word. */
export interface Toned {
  readonly tone: Tone;
  readonly title: string;
}

/** The badges of the outcomes of decisions. */
export const OUTCOMES: Readonly<Record<Decision['outcome'], Toned>> = {
  fired: { tone: 'good', title: 'Fanfare created the deliveries of its steps.' },
  suppressed: { tone: 'doubt', title: 'The rule, a condition or a limit suppressed the announcement.' },
  deferred: { tone: 'busy', title: 'Deferred until the quiet hours end.' },
  waiting: { tone: 'busy', title: 'The change must last longer or repeat first.' },
  closed: { tone: 'calm', title: 'The episode has ended.' },
  unchanged: { tone: 'calm', title: 'Nothing changed.' },
  failed: { tone: 'bad', title: 'The poll failed, so the rule decided nothing.' },
};

/** The badges of the states of deliveries. */
export const STATES: Readonly<Record<Delivery['state'], Toned>> = {
  pending: { tone: 'busy', title: 'It waits for earlier deliveries or for its scheduled time.' },
  sending: { tone: 'busy', title: 'Fanfare is sending it.' },
  asked: { tone: 'busy', title: 'The question is posted and waits for an answer.' },
  sent: { tone: 'good', title: 'The platform confirmed it.' },
  failed: { tone: 'bad', title: 'The platform rejected it, or every attempt failed.' },
  unknown: { tone: 'doubt', title: 'It is unknown whether it was sent. Check the account and resolve it.' },
  skipped: { tone: 'calm', title: 'There was nothing to send.' },
};
