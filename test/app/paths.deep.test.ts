import { expect, test, vi } from 'vitest';
import { countExecutedFiles } from '../support/executed-files.ts';
import { openProgram, pathFiles } from '../support/path-files.ts';

const RULES = {
  'poll.yaml':
    'id: poll\nwhen: { every: 5s, watch: streaming.getTopStreams, take: 20, settle: 1m, changes: [entered] }\nthen: [{ do: social.createPost, with: { text: new } }]\n',
  'post.yaml': 'id: post\nwhen: { every: 5s }\nthen: [{ do: social.createPost, with: { text: "${{ string(now) }}" } }]\n',
};

test('a poll, a delivery and a command execute no file of src/app', async () => {
  const paths = await pathFiles();

  for (const files of Object.values(paths)) {
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file: string) => file.startsWith('src/app/'))).toEqual([]);
  }
});

test('the running program executes no file of src/app', async () => {
  await using program = await openProgram(RULES);
  const sent = (): number => program.lines.filter((line) => / sent .*rule=post/u.test(line)).length;
  const untilSent = (count: number) => vi.waitFor(() => expect(sent()).toBeGreaterThanOrEqual(count), { timeout: 240_000 });
  await program.listRules();
  await untilSent(2);
  using executed = countExecutedFiles();
  executed.take();

  const before = sent();
  await program.listRules();
  await untilSent(before + 2);
  const files = executed.take();

  expect(files).toEqual(
    expect.arrayContaining(['src/engine/planner/planner.ts', 'src/engine/delivery/send.ts', 'src/discord/dispatch.ts']),
  );
  expect(files.filter((file: string) => file.startsWith('src/app/'))).toEqual([]);
});
