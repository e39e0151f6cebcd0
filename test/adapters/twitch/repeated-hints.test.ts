import { expect, test } from 'vitest';
import { createRepeatedHints } from '#adapters/twitch/eventsub/repeated-hints.ts';
import { createShownStreams } from '#adapters/twitch/shown-streams.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('a new title does not end the repeats about the stream that Helix does not show yet', async () => {
  const clock = new ManualClock();
  const shown = createShownStreams();
  const stopping = new AbortController();
  const hints: string[] = [];
  const repeatedly = createRepeatedHints({
    hint: (id) => void hints.push(id),
    namesOf: () => ['ada'],
    shown,
    clock,
    signal: stopping.signal,
  });

  repeatedly('1', { type: 'stream.online', streamId: 'stream', update: undefined });
  repeatedly('1', { type: 'channel.update', streamId: undefined, update: { title: 'Another title', categoryId: '' } });
  // Helix shows no stream, so there is no title to wait for.
  shown.show(['ada'], []);
  hints.length = 0;
  await clock.advance(12_000);
  expect(hints).toEqual(['1']);

  // The channel is offline before Helix has shown the stream.
  repeatedly('1', { type: 'stream.offline', streamId: undefined, update: undefined });
  hints.length = 0;
  shown.show(['ada'], []);
  await clock.advance(140_000);
  expect(hints).toEqual([]);
  stopping.abort();
});
