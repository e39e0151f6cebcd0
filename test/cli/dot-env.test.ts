import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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

describe('a wrong value', () => {
  test.for([
    ['is named with its line', '# mine\nPORT=eighty\n', {}, ['.env:2: PORT: write a whole number from 0 to 65535']],
    ['of a name with two lines: the last one counts', 'PORT=1\nLOG_LEVEL=info\nexport PORT="x"\n', {}, ['.env:3: PORT: write a']],
    ['beside another one', 'PORT=x\nLOG_LEVEL=loud\n', { HOST: 'x' }, ['.env:1: PORT: ', '.env:2: LOG_LEVEL: use one of']],
    ['of the environment, not of the file', 'PORT=8080\n', { PORT: 'x' }, ['the environment: PORT: write a whole number']],
    ['beside one of the environment', 'PORT=x\n', { LOG_LEVEL: 'loud' }, ['.env:1: PORT: ', 'the environment: LOG_LEVEL: ']],
    ['that needs another one', '\nTWITCH_CLIENT_ID=x\n', {}, ['.env:2: TWITCH_CLIENT_SECRET must also be set, because TWITCH_']],
    ['of the secret of a sender', 'FANFARE_WEBHOOK_SHOP_SECRET=x\n', {}, ['.env:1: FANFARE_WEBHOOK_SHOP_SECRET: a secret has at least']],
    ['of a file with a secret', 'FANFARE_WEBHOOK_SHOP_SECRET_FILE=x\n', {}, ['.env:1: FANFARE_WEBHOOK_SHOP_SECRET_FILE: the file cannot']],
    ['of the header of a sender', 'A=1\nFANFARE_WEBHOOK_SHOP_HEADER=X-Sign\n', {}, ['.env:2: FANFARE_WEBHOOK_SHOP_HEADER: only a sign']],
  ] as const)('%s', async ([, text, environment, messages]) => {
    using directory = temporaryFolder();
    await writeFile(join(directory.path, '.env'), text);

    const { code, output } = await runHere({ args: ['check'], cwd: directory.path, environment });

    const errors = output.split('\n').filter((line) => line.startsWith('error: '));
    expect({ code, errors }).toEqual({
      code: 1,
      errors: messages.map((message) => expect.stringContaining(`error: ${message}`) as unknown),
    });
  });

  test('has its file and line in JSON', async () => {
    using directory = temporaryFolder();
    await writeFile(join(directory.path, '.env'), 'PORT=x\nLOG_LEVEL=loud\n');

    const { stdout } = await runHere({ args: ['check', '--json'], cwd: directory.path });

    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'configuration', file: '.env', line: 1, others: [{ file: '.env', line: 2 }] },
    });
  });
});
