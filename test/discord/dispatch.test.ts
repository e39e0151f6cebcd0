import { expect, test } from 'vitest';
import { openTransport } from './transport-stage.ts';

test('where nothing can be suggested, what was typed is offered, and the log tells of what is ours alone', async () => {
  await using stage = await openTransport();
  await stage.online.client;
  const type = (text: string) =>
    stage.discord.interact({ user: stage.discord.people[0], channel: 'general', command: 'echo', options: { text }, autocomplete: true });

  const answers = [await type('what?'), await type('bug')];

  expect(answers.map(({ choices }) => choices)).toEqual([[{ name: 'what?', value: 'what?' }], [{ name: 'bug', value: 'bug' }]]);
  const told = stage.lines.filter((line) => / (warn|error) /.test(line));
  expect(told).toEqual([expect.stringContaining('a bug of ours')]);
});
