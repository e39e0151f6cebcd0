import { expect, test } from 'vitest';
import { firingOutcome, type FiringDelivery } from '#src/engine/delivery/firing-outcome.ts';

const SEND = 'discord.send';
const failed: FiringDelivery = { do: SEND, state: 'failed', error: { fault: 'missing', message: 'there is no channel' } };
const sent: FiringDelivery = { do: SEND, state: 'sent' };
const asked: FiringDelivery = { do: SEND, state: 'asked' };
const pending: FiringDelivery = { do: SEND, state: 'pending' };
const read: FiringDelivery = { do: 'streaming.getStreams', state: 'sent' };
const ifFalse: FiringDelivery = { do: SEND, state: 'skipped', message: 'if: false', reason: { kind: 'replaced' } };
const list: FiringDelivery = { do: SEND, state: 'skipped', reason: { kind: 'forEachDone', count: 2 } };
const paused: FiringDelivery = { do: SEND, state: 'skipped', reason: { kind: 'rulePaused', by: 'grace' } };

test.each([
  { name: 'everything is sent', all: [sent, sent, list], unsent: undefined },
  { name: 'a failure matters more than a question', all: [asked, sent, failed, pending], unsent: { state: 'failed', count: 1 } },
  { name: 'a step waits for the answer to a question', all: [asked, pending], unsent: { state: 'asked', count: 1 } },
  {
    name: 'a delivery that is being sent waits',
    all: [sent, pending, { do: SEND, state: 'sending' }],
    unsent: { state: 'pending', count: 2 },
  },
  { name: 'a skipped step does not matter if another one is sent', all: [ifFalse, sent], unsent: undefined },
  { name: 'the steps after a look-up are skipped', all: [read, ifFalse], unsent: { state: 'skipped', count: 1, message: 'if: false' } },
  { name: 'a rule only reads', all: [read], unsent: undefined },
  { name: 'all steps are skipped', all: [ifFalse, ifFalse], unsent: { state: 'skipped', count: 2, message: 'if: false' } },
  { name: 'a person stopped the deliveries', all: [paused], unsent: undefined },
] as const)('$name', ({ all, unsent }) => {
  const outcome = firingOutcome(all);

  const { state, count, message } = outcome.unsent ?? {};
  expect({ state, count, message }).toEqual({ ...unsent });
  expect(outcome.undelivered).toBe(all.filter((one) => one === failed).length);
  expect(outcome.stop?.reason?.kind).toBe(all.some((one) => one === paused) ? 'rulePaused' : undefined);
});
