import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { launch, type LaunchOptions } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function run(options: LaunchOptions): Promise<{ readonly code: number | undefined; readonly output: string }> {
  const command = await launch(options);
  const code = await command.exit;
  return { code, output: command.output() };
}

describe.concurrent('an ordinary mistake of the operator is told in a sentence, and the program ends', () => {
  test('a port that another program has', async () => {
    using directory = temporaryFolder();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;

    const { code, output } = await run({ environment: { FANFARE_DATA: directory.path }, port });
    taken.close();

    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is taken`);
    expect(output).not.toContain('    at ');
  });

  test('a folder for the state that is a file', async () => {
    using directory = temporaryFolder();
    const file = join(directory.path, 'state');
    await writeFile(file, '');

    const { code, output } = await run({ environment: { FANFARE_DATA: file } });

    expect(code).toBe(1);
    expect(output).toContain('point FANFARE_DATA at a folder that can be written to');
    expect(output).not.toContain('    at ');
  });

  test('a folder where the database should be', async () => {
    using directory = temporaryFolder();
    await mkdir(join(directory.path, 'fanfare.sqlite'));

    const { code, output } = await run({ environment: { FANFARE_DATA: directory.path } });

    expect(code).toBe(1);
    expect(output).toContain('the state cannot be kept here');
    expect(output).not.toContain('    at ');
  });

  test('tests that name another rule than the one they stand beside', async () => {
    using directory = temporaryFolder();
    const rule = 'id: mine\nwhen: { every: 1m }\nthen: [{ do: discord.send, with: { channel: live, content: hello } }]\n';
    await writeFile(join(directory.path, 'mine.yaml'), rule);
    await writeFile(
      join(directory.path, 'mine.test.yaml'),
      'rule: yours\nstart: 2026-11-20T18:00:00Z\ncases: [{ it: runs, polls: [{ at: 0s, items: [] }], expect: [] }]\n',
    );

    const { code, output } = await run({ args: ['test', directory.path] });

    expect(code).toBe(1);
    expect(output).toContain('mine.test.yaml:1:1 error rule: these are tests of yours, and beside them stands mine');
  });
});
