import { expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import type { Render } from '#src/engine/delivery/rendering.ts';
import { Postponed } from '#src/errors.ts';
import { renderStep } from '#src/rules/render.ts';
import { postingOver } from '../../support/posting-over.ts';
import { runEngine } from '../delivery/running-engine.ts';

const HOUR_MS = 3_600_000;
const BY = { id: '1', name: 'ada' };
const TEXT_LIMIT = { most: 10, lengthOf: (text: string) => text.length };

const render: Render = ({ delivery: { section, account }, ...due }, results) =>
  renderStep({ ...due, section, account, results, textLimit: TEXT_LIMIT, catalogue });

/** A post whose request to x is under way. `arrive` lets the request arrive. */
async function openUnderWay(accounts: readonly string[], text = 'Part one.') {
  const running = await runEngine({ render, traits: { deduplicates: false, finds: 'content' } });
  const { platform, clock, engine, store } = running;
  const posting = postingOver(store, clock, ['x', 'club']);
  const { promise, resolve: arrive } = Promise.withResolvers<void>();
  platform.hangs.set('x', promise);
  const failureNotice = { account: 'discord', channel: '5', text: 'It is missing on' };
  await posting.send({ text, accounts }, { id: 'p1', by: BY, server: 'home', at: new Date(clock.nowMs()), failureNotice });
  const pass = async (ms: number): Promise<void> => {
    engine.wake();
    await clock.advance(ms);
  };
  return {
    ...running,
    posting,
    arrive,
    pass,
    sent: () => platform.records.map(({ account, params }) => `${account}: ${JSON.stringify(params['text'] ?? params['content'])}`),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

test.for(['unavailable', 'unanswered'] as const)(
  'a post that is too late to cancel is sent, even if its first request is %s',
  async (failure) => {
    await using opened = await openUnderWay(['x']);
    const { posting, platform, arrive, pass, sent } = opened;
    platform.nextFailures.set('x', [failure]);
    await pass(0);

    const outcome = await posting.cancel('p1', BY);
    arrive();
    await pass(HOUR_MS);

    expect(outcome).toBe('begun');
    expect(sent()).toEqual(['x: "Part one."']);
  },
);

test('a post whose cancellation was too late can be cancelled before its next request', async () => {
  await using opened = await openUnderWay(['x']);
  const { posting, platform, arrive, pass, sent } = opened;
  platform.nextFailures.set('x', ['rateLimited']);
  await pass(0);

  const outcomes = [await posting.cancel('p1', BY)];
  arrive();
  await pass(0);
  outcomes.push(await posting.cancel('p1', BY));
  await pass(HOUR_MS);

  expect(outcomes).toEqual(['begun', 'all']);
  expect(sent()).toEqual([]);
});

test('two people who each cancel a part of a post have cancelled it', async () => {
  await using opened = await openUnderWay(['x', 'club']);
  const { posting, platform, arrive, pass, sent } = opened;
  platform.nextFailures.set('x', ['rateLimited']);
  platform.nextFailures.set('club', ['rateLimited']);
  await pass(0);

  const outcomes = [await posting.cancel('p1', BY)];
  arrive();
  await pass(0);
  outcomes.push(await posting.cancel('p1', { id: '2', name: 'grace' }), await posting.cancel('p1', BY));
  await pass(HOUR_MS);

  expect(outcomes).toEqual(['partly', 'all', 'all']);
  expect(await posting.find('p1')).toMatchObject({ cancelledBy: 'grace', targets: [{ state: 'skipped' }, { state: 'skipped' }] });
  expect(sent()).toEqual([]);
});

test.for([
  ['no account', ['x'], 'begun'],
  ['another account', ['x', 'club'], 'partly'],
] as const)('the author hears of an account that fails after %s was cancelled', async ([, accounts, expected]) => {
  await using opened = await openUnderWay(accounts);
  const { posting, platform, arrive, pass, sent } = opened;
  platform.nextFailures.set('x', ['forbidden']);
  platform.nextFailures.set('club', ['rateLimited']);
  await pass(0);

  const outcome = await posting.cancel('p1', BY);
  arrive();
  await pass(HOUR_MS);

  expect(outcome).toBe(expected);
  expect(sent()).toEqual(['discord: "It is missing on x"']);
});

test('an account on which a thread was cancelled is shown as cancelled and does not count as failed', async () => {
  await using opened = await openUnderWay(['x', 'club'], 'Part one. Part two.');
  const { posting, platform, arrive, pass, sent } = opened;
  platform.nextFailures.set('club', ['rateLimited']);
  await pass(0);

  const outcome = await posting.cancel('p1', BY);
  const { targets = [] } = (await posting.find('p1')) ?? {};
  arrive();
  await pass(HOUR_MS);

  expect(outcome).toBe('partly');
  expect(targets.map(({ state }) => state)).toEqual(['sending', 'skipped']);
  expect(sent()).toEqual(['x: "Part one."', 'x: "Part two."']);
});

test('a post that is too old for an account, and sent to the other one, is too late to cancel', async () => {
  await using opened = await openUnderWay(['x', 'club']);
  const { posting, platform, arrive, pass, clock } = opened;
  platform.nextFailures.set('club', [new Postponed('the limit is reached', { until: new Date(clock.nowMs() + 2 * HOUR_MS) })]);
  await pass(0);
  arrive();
  await pass(3 * HOUR_MS);

  const outcome = await posting.cancel('p1', BY);

  expect((await posting.find('p1'))?.targets.map(({ state }) => state)).toEqual(['sent', 'skipped']);
  expect(outcome).toBe('begun');
});
