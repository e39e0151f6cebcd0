import { expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import type { DeliveryEngineOptions } from '#src/engine/delivery/delivery-engine.ts';
import type { Render } from '#src/engine/delivery/rendering.ts';
import { ValidationError } from '#src/errors.ts';
import { postFiring } from '#src/engine/posting/post-firing.ts';
import { renderStep } from '#src/rules/render.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { runEngine } from '../delivery/running-engine.ts';

const TEXT_LIMIT = { most: 10, lengthOf: (text: string) => text.length };

const render: Render = ({ delivery: { section, account }, ...due }, results) =>
  renderStep({ ...due, section, account, results, textLimit: TEXT_LIMIT, catalogue });

const PLAN: Parameters<typeof postFiring>[1] = {
  id: 'p1',
  by: 'ada',
  person: '1',
  at: new Date(SLOT_MS),
  isQueued: false,
  failureNotice: { account: 'discord', channel: 'general', text: 'It is missing on' },
};

/** A thread of three parts on each account, whose failure is reported. */
const FIRING = postFiring({ text: 'Part one. Part two. Part six.', accounts: ['x', 'club'] }, PLAN);

test.for<readonly [what: string, failures: readonly ('forbidden' | undefined)[], notices: readonly string[]]>([
  ['the first part', ['forbidden'], ['It is missing on x']],
  ['a later part', [undefined, 'forbidden'], ['It is missing on x']],
  ['no part', [], []],
])('the author hears of a thread of which %s failed', async ([, failures, notices]) => {
  await using running = await runEngine({ render });
  running.platform.nextFailures.set('x', [...failures]);

  await running.commit([FIRING]);

  const sent = running.platform.records.map(({ params }) => params);
  expect(sent.flatMap(({ content }) => content ?? [])).toEqual(notices);
  expect(sent.filter(({ text }) => text !== undefined)).toHaveLength(failures.length === 0 ? 6 : 2 + failures.length);
});

test('the author hears of a thread only when all its parts are over', async () => {
  await using running = await runEngine({ render });
  running.platform.nextFailures.set('x', [undefined, 'unavailable', 'unavailable']);

  await running.commit([FIRING]);
  const before = await running.states();
  await running.clock.advance(60_000);

  expect(before.filter(([account]) => account === 'discord')).toEqual([['discord', 'pending']]);
  expect((await running.states()).filter(([account]) => account === 'discord')).toEqual([['discord', 'skipped']]);
});

test('the author hears of a post that was sent without its picture', async () => {
  const accepts: DeliveryEngineOptions['accepts'] = (verb, params) => catalogue.get(verb)?.params.safeParse(params).success ?? false;
  await using running = await runEngine({ render, accepts });
  const missing = new ValidationError('there is no file poster.png', { path: 'file', part: { parameter: 'files', index: 0 } });
  running.platform.nextFailures.set('x', [missing]);

  await running.commit([postFiring({ text: 'The poster', picture: { path: '/pictures/poster.png' }, accounts: ['x', 'club'] }, PLAN)]);
  await running.clock.advance(60_000);

  expect(running.platform.records.map(({ params }) => params)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ text: 'The poster', files: [] }),
      expect.objectContaining({ content: 'It is missing on x' }),
    ]),
  );
});
