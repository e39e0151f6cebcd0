import { expect, test } from 'vitest';
import { advance } from '#src/rules/evaluate/advance.ts';
import { NEW_STATE, type RuleState } from '#src/rules/episode.ts';
import type { Item } from '#src/rules/poll.ts';
import type { EpisodeTracks } from '#src/rules/rule.ts';
import { cardRule, MINUTE, START_MS, stream } from './fixture.ts';
import { storedAndLoaded, withChange } from './run-polls.ts';

const ALL: EpisodeTracks = { average: ['viewerCount'], atPeak: ['viewerCount'], spans: true };

interface RunOptions {
  readonly tracks?: EpisodeTracks | undefined;
  readonly settleMs?: number;
}

/** Polls once a minute: the viewers and the game of ada, or nothing. Returns the stored states and the `episode` of the last firing. */
function run(
  polls: readonly (readonly [viewers: number | undefined, game?: string] | undefined)[],
  { settleMs = 0, ...options }: RunOptions = {},
) {
  const tracks = 'tracks' in options ? options.tracks : ALL;
  const rule = cardRule({ watched: { tracks, settleMs, first: 'fire', confirm: { new: 1, gone: 2 } } });
  let state: RuleState = NEW_STATE;
  let episode: unknown;
  for (const [minute, poll] of polls.entries()) {
    const slotMs = START_MS + minute * MINUTE;
    const { change, firings } = advance({ rule, state, poll: { items: poll ? [item(...poll)] : [], complete: true }, slotMs });
    if (change) state = storedAndLoaded(withChange(state, change));
    episode = firings.at(-1)?.scope.episode ?? episode;
  }
  return { state, episode };
}

function item(viewerCount: number | undefined, game?: string): Item {
  return stream('ada', { viewerCount, ...(game !== undefined && { game: { name: game } }) });
}

function at(minute: number): string {
  return new Date(START_MS + minute * MINUTE).toISOString();
}

test('the average counts the polls that had a number', () => {
  const { episode } = run([[100], [400], [undefined], undefined, [100], undefined, undefined]);

  expect(episode).toMatchObject({ open: false, average: { viewerCount: 200 } });
});

test('the item at the peak is the one of the first poll with the greatest number', () => {
  const { episode } = run([
    [100, 'Chess'],
    [400, 'Go'],
    [400, 'Tetris'],
    [100, 'Chess'],
  ]);

  expect(episode).toMatchObject({ atPeak: { viewerCount: { at: at(1), item: { viewerCount: 400, game: { name: 'Go' } } } } });
});

test('a span lasts from the first poll with a game to the first poll with another one', () => {
  const { episode } = run([[1, 'Chess'], [1, 'Chess'], [1, 'Go'], [1], [1, 'Chess'], [1, 'Chess'], undefined, undefined]);

  expect(episode).toMatchObject({
    spans: [
      { value: 'Chess', from: at(0), to: at(2), lengthMs: 2 * MINUTE },
      { value: 'Go', from: at(2), to: at(3), lengthMs: MINUTE },
      { value: 'Chess', from: at(4), to: at(5), lengthMs: MINUTE },
    ],
  });
});

test('a game counts after it held for settle', () => {
  const { episode } = run(
    [
      [1, 'Chess'],
      [1, 'Go'],
      [1, 'Chess'],
      [1, 'Go'],
      [1, 'Tetris'],
      [1, 'Tetris'],
      [1, 'Tetris'],
    ],
    {
      settleMs: 2 * MINUTE,
    },
  );

  expect(episode).toMatchObject({
    spans: [
      { value: 'Chess', from: at(0), to: at(4) },
      { value: 'Tetris', from: at(4), to: at(6) },
    ],
  });
});

test('an episode keeps the last 100 spans', () => {
  const { episode } = run(Array.from({ length: 150 }, (_, n) => [1, `game ${n}`] as const));

  const { spans } = episode as { readonly spans: readonly { readonly value: string }[] }; // as the test above shows
  expect([spans.length, spans[0]?.value, spans.at(-1)?.value]).toEqual([100, 'game 50', 'game 149']);
});

test('a reopened episode continues its data', () => {
  const { episode } = run([[100, 'Chess'], undefined, undefined, [300, 'Chess'], [300, 'Go']]);

  expect(episode).toMatchObject({
    average: { viewerCount: 700 / 3 },
    atPeak: { viewerCount: { at: at(3) } },
    spans: [
      { value: 'Chess', from: at(0), to: at(4) },
      { value: 'Go', from: at(4), to: at(4) },
    ],
  });
});

test('a rule that reads none of the data stores none of it', () => {
  const { state, episode } = run(
    [
      [100, 'Chess'],
      [400, 'Go'],
    ],
    { tracks: undefined },
  );

  const [stored = {}] = state.episodes.values();
  expect(Object.keys(stored).filter((key) => ['totals', 'peaks', 'spans', 'nextSpan'].includes(key))).toEqual([]);
  expect(Object.keys(episode ?? {})).toEqual(['id', 'open', 'returned', 'startedAt', 'lengthMs', 'polls', 'peak', 'games']);
});

test('a rule stores only the data that it reads', () => {
  const { state } = run(
    [
      [100, 'Chess'],
      [400, 'Go'],
    ],
    { tracks: { average: ['viewerCount'] } },
  );

  const [stored] = state.episodes.values();
  expect(stored).toMatchObject({ totals: { viewerCount: { sum: 500, count: 2 } } });
  expect(stored).not.toHaveProperty('spans');
  expect(stored).not.toHaveProperty('peaks');
});
