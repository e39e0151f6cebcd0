import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RULE = 'id: hello\nwhen: { every: 1h }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n';

test.for([
  ['with line ends of Windows', 'FANFARE_RULES=own rules\r\nLOG_LEVEL=info\r\n'],
  ['with line ends of an old Mac', '# mine\rFANFARE_RULES=own rules\rLOG_LEVEL=info\r'],
  ['with a byte order mark', '\uFEFFFANFARE_RULES=own rules\r\nLOG_LEVEL=info\r\n'],
  ['with quotes, spaces and a comment', "  FANFARE_RULES = 'own rules' # mine\n"],
  ['with export', 'export FANFARE_RULES="own rules"\n'],
  ['of Windows PowerShell', Buffer.from('\uFEFFFANFARE_RULES=own rules\r\n', 'utf16le')],
] as const)('commands read a .env file %s', async ([, text]) => {
  using directory = temporaryFolder();
  await mkdir(join(directory.path, 'own rules'));
  await writeFile(join(directory.path, 'own rules', 'hello.yaml'), RULE);
  await writeFile(join(directory.path, '.env'), text);

  const { output } = await runHere({ args: ['check'], cwd: directory.path });

  expect(output).toBe('1 file, 1 rule ready to run: no errors, 0 warnings\n');
});

test('the environment has precedence over the .env file', async () => {
  using directory = temporaryFolder();
  await writeFile(join(directory.path, '.env'), 'FANFARE_RULES=of-the-file\n');

  const { output } = await runHere({ args: ['check'], cwd: directory.path, environment: { FANFARE_RULES: 'of-the-environment' } });

  expect(output).toMatch(/^error: of-the-environment: there is no such file or folder/u);
});
