import { fc } from '../../support/property.ts';
import type { ModelStep } from './ordering-model.ts';

/** The time of retries, of questions and of long waits. */
export const LATER_MS = 60_000;

const SENDER = { as: ['x'], reads: [], stops: false } as const;
const READER = { ...SENDER, reads: ['a0'] } as const;

const OUTCOMES = ['failed', 'skipped', 'unknown', 'asked', 'retry', 'lost', 'postponed', 'elements', 'thread', 'sent'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The events of a run, in order. Numbers select existing firings and deliveries. */
export type Event =
  | {
      readonly kind: 'commit';
      readonly prefix: string;
      readonly queue: string;
      readonly steps: readonly Omit<ModelStep, 'id'>[];
      readonly sees: readonly number[];
      /** Whether attempts begin with the commit. */
      readonly begins?: boolean;
    }
  | { readonly kind: 'work'; readonly delivery: number; readonly outcome: Outcome }
  /** Withdraws a delivery that was not sent. */
  | { readonly kind: 'withdraw'; readonly delivery: number }
  /** `next`: until the next delivery is due. */
  | { readonly kind: 'advance'; readonly ms: number | 'next' };

const step: fc.Arbitrary<Omit<ModelStep, 'id'>> = fc.record({
  as: fc.oneof({ weight: 4, arbitrary: fc.constant(['x']) }, fc.constantFrom(['y'], ['x', 'y'], ['y', 'x'])),
  reads: fc.array(fc.constantFrom('a0', 'a0.own', 'a0.on.y', 'a1', 'a1.own', 'b0', 'b1.own', 'b0.on.x'), { maxLength: 2 }),
  stops: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  afterMs: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.constantFrom(30_000, 2 * LATER_MS)),
  maxAgeMs: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, fc.constantFrom(1_000, LATER_MS)),
});

const commit: fc.Arbitrary<Event> = fc.record({
  kind: fc.constant('commit'),
  prefix: fc.constantFrom('a', 'b'),
  queue: fc.constantFrom('ada', 'grace', 'kay'),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  sees: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(fc.nat(5), { maxLength: 2 })),
  begins: fc.boolean(),
});

const work: fc.Arbitrary<Event> = fc.record({
  kind: fc.constant('work'),
  delivery: fc.nat(5),
  outcome: fc.constantFrom(...OUTCOMES, 'sent', 'sent'),
});

const advance: fc.Arbitrary<Event> = fc.record({
  kind: fc.constant('advance'),
  ms: fc.constantFrom<number | 'next'>('next', 'next', 1_000, 30_000, LATER_MS),
});

const withdraw: fc.Arbitrary<Event> = fc.record({ kind: fc.constant('withdraw'), delivery: fc.nat(5) });

export const events = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: commit },
    { weight: 8, arbitrary: work },
    { weight: 2, arbitrary: advance },
    { weight: 1, arbitrary: withdraw },
  ),
  { minLength: 5, maxLength: 30 },
);

/** Deliveries in two queues, most of which wait for the outcome of one. */
export function waiting(sizes: readonly number[]): fc.Arbitrary<readonly Event[]> {
  return fc
    .record({
      size: fc.constantFrom(...sizes),
      pattern: fc.array(step, { minLength: 1, maxLength: 4 }),
      first: fc.constantFrom<Outcome>('unknown', 'asked', 'retry', 'sent'),
      queue: fc.constantFrom('ada', 'grace'),
      sees: fc.constantFrom([], [0, 1]),
      rest: events,
    })
    .map(({ size, pattern, first, queue, sees, rest }) => {
      const steps = Array.from({ length: size }, (_, index) => ({ ...READER, ...pattern[index % (2 * pattern.length)] }));
      return [...afterOutcome(first, { queue, steps, sees }), ...rest];
    });
}

interface Later {
  readonly queue: string;
  readonly steps: readonly Omit<ModelStep, 'id'>[];
  readonly sees: readonly number[];
}

/** A post, its events, steps of a later firing that can read it, and a firing after them. */
function afterOutcome(outcome: Outcome, { queue, steps, sees }: Later) {
  return [
    { kind: 'commit', prefix: 'a', queue: 'ada', steps: [{ ...SENDER, as: ['y'] }], sees: [] },
    { kind: 'work', delivery: 0, outcome },
    { kind: 'commit', prefix: 'b', queue, steps, sees: [0] },
    { kind: 'commit', prefix: 'b', queue: 'ada', steps: [SENDER], sees },
  ] as const satisfies readonly Event[];
}

function crowded(size: number, senders: readonly number[]): readonly Event[] {
  const steps = Array.from({ length: size }, (_, index) => (senders.includes(index) ? SENDER : READER));
  return afterOutcome('unknown', { queue: 'ada', steps, sees: [] });
}

/** Hundreds of deliveries wait for a resolution. Two among them do not: the last one of the first page, and one behind 500 others. */
export const FULL: readonly Event[] = [
  ...crowded(520, [49, 509]),
  { kind: 'work', delivery: 0, outcome: 'sent' },
  { kind: 'work', delivery: 0, outcome: 'retry' },
];

/** The time of a question is over that is on the second page of a queue that is held up. */
export const ASKED: readonly Event[] = [
  ...crowded(60, [55]),
  { kind: 'work', delivery: 0, outcome: 'asked' },
  { kind: 'work', delivery: 1, outcome: 'sent' },
  { kind: 'advance', ms: LATER_MS },
];

/** Later deliveries that do not wait for deliveries that wait for a resolution or an answer. */
export const WAITING = (['unknown', 'asked'] as const).map((outcome): readonly Event[] => [
  ...afterOutcome(outcome, { queue: 'ada', steps: [READER], sees: [0, 1] }),
  { kind: 'commit', prefix: 'a', queue: 'ada', steps: [SENDER], sees: [] },
]);

/** A step that waits for a resolution is withdrawn. The step that reads it no longer waits, and holds up its queue. */
export const WITHDRAWN = [0, 1].map((delivery): readonly Event[] => [
  ...afterOutcome('unknown', { queue: 'ada', steps: [READER, { ...SENDER, reads: ['b0'] }, { ...SENDER, reads: ['b1'] }], sees: [] }),
  { kind: 'withdraw', delivery },
]);

/** Every outcome once. */
export const EACH: readonly Event[] = OUTCOMES.flatMap((outcome): readonly Event[] => [
  { kind: 'commit', prefix: 'a', queue: 'kay', steps: [SENDER, READER], sees: [] },
  { kind: 'work', delivery: 0, outcome },
  { kind: 'advance', ms: 'next' },
]);

/** Every outcome once of an attempt that began with its commit. */
export const BEGUN = EACH.map((event): Event => (event.kind === 'commit' ? { ...event, begins: true } : event));
