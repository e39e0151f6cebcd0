import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRulesAndConfig } from '#src/app/open-rules.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RULE = `id: a
when: { evry: 1m }
then:
  - { do: discord.send, as: berlin, with: { channel: live, content: hi } }
`;

/** The diagnostics of a rule and of fanfare.yaml, as `fanfare check` prints them. */
async function diagnosticsWith(config: string): Promise<readonly string[]> {
  using folder = temporaryFolder({ inMemory: true });
  mkdirSync(join(folder.path, 'rules'));
  writeFileSync(join(folder.path, 'rules', 'a.yaml'), RULE);
  writeFileSync(join(folder.path, 'fanfare.yaml'), config);
  const { rules } = openRulesAndConfig({ FANFARE_RULES: join(folder.path, 'rules'), FANFARE_DATA: join(folder.path, 'data') });
  const { diagnostics } = await rules.load([]);
  return diagnostics.map(({ file, message }) => `${file.slice(folder.path.length + 1)}: ${message}`);
}

test.each([
  ['a misspelled key', 'defalts: {}\n', ['fanfare.yaml: unknown key: defalts', 'rules/a.yaml: there is no account berlin']],
  ['YAML errors', 'defaults: [\n', ['fanfare.yaml: the list is not closed: ] is missing']],
  ['an invalid account', 'accounts: { berlin: { platform: discord, gild: 1 } }\n', ['fanfare.yaml: unknown key: gild']],
])('errors of fanfare.yaml do not hide the errors of rules: %s', async (_, config, expected) => {
  const found = await diagnosticsWith(config);

  expect(found).toEqual(expect.arrayContaining([...expected, 'rules/a.yaml: unknown key: evry']));
  // With an unusable file, it is unknown which accounts exist.
  expect(found.filter((line) => line.includes('berlin'))).toHaveLength(expected.length - 1);
});
