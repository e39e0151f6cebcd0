import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually, getJson, launch } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const GOOD = `id: good
when: { every: 10s, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - do: discord.send
    with: { channel: live, content: "\${{ item.title }}" }
`;

const BROKEN = `id: Broken Rule
wenn: now
when:
  every: 1s
  watch: streaming.getGameStreams
  with: { gaem: Chess }
then:
  - do: discord.send
    with: { channel: live, content: "\${{ item.titel }}" }
`;

const Rules = z.object({ items: z.array(z.object({ id: z.string(), on: z.boolean() })) });

async function withRules(): Promise<{ readonly rules: string; readonly data: string; [Symbol.dispose](): void }> {
  const directory = temporaryFolder({ inMemory: true });
  const rules = join(directory.path, 'rules');
  await mkdir(rules);
  await writeFile(join(rules, 'good.yaml'), GOOD);
  await writeFile(join(rules, 'broken.yaml'), BROKEN);
  return { rules, data: join(directory.path, 'data'), [Symbol.dispose]: () => directory[Symbol.dispose]() };
}

test('check reports every error of a file with its position and its line, and exits with 1', async () => {
  using folder = await withRules();

  const command = await launch({ args: ['check', folder.rules] });
  const code = await command.exit;

  const positions = [...command.output().matchAll(/broken\.yaml:(\d+:\d+)/g)].map(([, place]) => place);
  expect(code).toBe(1);
  // A misspelled key has one diagnostic. The missing correct key would be the same mistake.
  expect(new Set(positions)).toEqual(new Set(['1:5', '2:1', '4:10', '6:11', '9:47']));
  expect(command.output()).toContain('with: { gaem: Chess }');
  expect(command.output()).toContain('titel');
});

test('start runs the valid rules and names the invalid file', async () => {
  using folder = await withRules();
  await using fanfare = await launch({ environment: { FANFARE_RULES: folder.rules, FANFARE_DATA: folder.data } });

  const { items } = await eventually('the rules', async () => Rules.parse(await getJson(`${fanfare.url}/api/rules`)));

  expect(items.map(({ id, on }) => `${id} ${on ? 'on' : 'out'}`).toSorted()).toEqual(['broken.yaml out', 'good on']);
  // The start prints it after the API answers.
  await eventually('the name of the invalid file', () => Promise.resolve(fanfare.output().includes('broken.yaml')));
});
