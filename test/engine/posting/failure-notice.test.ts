import { expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import type { Render } from '#src/engine/delivery/rendering.ts';
import { postFiring } from '#src/engine/posting/post-firing.ts';
import { renderStep } from '#src/rules/render.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { runEngine } from '../delivery/running-engine.ts';

const TEXT_LIMIT = { most: 10, lengthOf: (text: string) => text.length };

const render: Render = ({ delivery: { section, account }, ...due }, results) =>
  renderStep({ ...due, section, account, results, textLimit: TEXT_LIMIT, catalogue });

/** A thread of three parts on each account, whose failure is reported. */
const FIRING = postFiring(
  { text: 'Part one. Part two. Part six.', accounts: ['x', 'club'] },
  {
    id: 'p1',
    by: 'ada',
    person: '1',
    at: new Date(SLOT_MS),
    isQueued: false,
    failureNotice: { account: 'discord', channel: 'general', text: 'It is missing on' },
  },
);

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
