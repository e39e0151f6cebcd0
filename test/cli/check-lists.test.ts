import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ruleReading = (list: string, field = 'line'): string => `id: team
when: { every: 1m, watch: streaming.getStreams, with: { users: "\${{ lists.${list}.map(p, p.id) }}" } }
then: [{ do: discord.send, with: { channel: live, content: "\${{ lists.${list}[?item.owner.handle].${field}.orValue('is live') }}" } }]
`;

test('check reports unknown lists and fields, mistakes in list files, and a file beside a living list', async () => {
  using folder = temporaryFolder();
  const [lists, rules] = [join(folder.path, 'lists'), join(folder.path, 'rules')];
  for (const path of [lists, rules]) mkdirSync(path);
  const on = (...args: readonly string[]) =>
    runHere({ args, environment: { FANFARE_DATA: join(folder.path, 'data'), FANFARE_RULES: rules } });
  const check = async (rule: string): Promise<{ readonly code: number | undefined; readonly output: string }> => {
    writeFileSync(join(rules, 'team.yaml'), rule);
    const { code, output } = await on('check');
    return { code, output };
  };
  writeFileSync(join(lists, 'team.yaml'), 'ada: { line: "Queen!" }\n');

  expect(await check(ruleReading('team'))).toMatchObject({ code: 0 });
  expect(await check(ruleReading('taem'))).toMatchObject({
    code: 1,
    output: expect.stringMatching(/unknown list taem[^]*did you mean team\?/u),
  });
  expect(await check(ruleReading('team', 'lien'))).toMatchObject({
    code: 1,
    output: expect.stringMatching(/has no lien[^]*did you mean line\?/u),
  });
  expect(await check(ruleReading('crew'))).toMatchObject({ code: 1, output: expect.stringContaining('unknown list crew') });
  expect((await on('lists', 'add', 'crew', 'grace')).code).toBe(0);
  expect(await check(ruleReading('crew'))).toMatchObject({ code: 0 });

  writeFileSync(join(lists, 'crew.yaml'), 'ada: { channel: #live }\n');
  const { code, output } = await check(ruleReading('team'));
  expect(code).toBe(1);
  expect(output).toMatch(/lists\/crew\.yaml:1:1.* crew is also a list that people edit/u);
  expect(output).toMatch(/lists\/crew\.yaml:1:17/u);
});
