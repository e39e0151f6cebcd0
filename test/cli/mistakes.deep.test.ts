import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { launch, type LaunchOptions } from '../support/fanfare-process.ts';
import { runCommand } from '../support/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function run(options: LaunchOptions): Promise<{ readonly code: number | undefined; readonly output: string }> {
  const command = await launch(options);
  const code = await command.exit;
  return { code, output: command.output() };
}

describe('a mistake of the operator ends the process with a message', () => {
  test('a port in use', async () => {
    using directory = temporaryFolder();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;

    const { code, output } = await run({ environment: { FANFARE_DATA: directory.path }, port });
    taken.close();

    expect(code).toBe(1);
    expect(output).toContain(`PORT: port ${port} is already in use`);
    expect(output).not.toContain('    at ');
  });

  test.skipIf(process.platform === 'win32')('a reader that closes the pipe', async () => {
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', '"$0" bin/fanfare.mjs schema | head -n 1', process.execPath]);

    expect([stdout, stderr]).toEqual(['{\n', '']);
  });

  test.skipIf(process.platform !== 'linux')('output to a full disk', async () => {
    const run = promisify(execFile)('sh', ['-c', '"$0" bin/fanfare.mjs schema > /dev/full', process.execPath]);

    await expect(run).rejects.toMatchObject({ code: 1, stderr: 'error: the output cannot be written (ENOSPC)\n' });
  });

  test.skipIf(process.platform === 'win32')(
    'a backup in the home folder of another user, and a data folder that nobody created',
    async () => {
      using folder = temporaryFolder();
      await mkdir(join(folder.path, 'home'));
      await writeFile(join(folder.path, 'home/backup.sqlite'), '');
      await chmod(join(folder.path, 'home'), 0o000);
      await chmod(folder.path, 0o555);
      // Root can read and create every file.
      const user = process.getuid?.() === 0 ? { uid: 65_534 } : {};
      const data = join(folder.path, 'data');
      const options = { cwd: folder.path, env: { PATH: process.env['PATH'], FANFARE_DATA: data }, ...user };
      const fanfare = (...args: readonly string[]) => promisify(execFile)(process.execPath, [resolve('bin/fanfare.mjs'), ...args], options);

      await expect(fanfare('restore', 'home/backup.sqlite')).rejects.toMatchObject({
        stderr: expect.stringMatching(/^error: home\/backup\.sqlite: this user has no permission to read it\n {2}copy it to a folder/u),
      });
      await expect(fanfare('doctor')).rejects.toMatchObject({
        stderr: expect.stringContaining(`or create the folder for this user: sudo install -d -o fanfare -m 700 ${data}`),
      });
      await chmod(folder.path, 0o755);
      await chmod(join(folder.path, 'home'), 0o755);
    },
  );

  // Without its credentials, Fanfare would run on the sandbox.
  test.skipIf(process.platform === 'win32')('a .env file of another user', async () => {
    using folder = temporaryFolder();
    await writeFile(join(folder.path, '.env'), 'TWITCH_CLIENT_ID=a\n');
    await chmod(join(folder.path, '.env'), 0o000);
    await chmod(folder.path, 0o755);
    // Root can read every file.
    const user = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    const options = { cwd: folder.path, env: { PATH: process.env['PATH'] }, ...user };

    const ran = promisify(execFile)(process.execPath, [resolve('bin/fanfare.mjs'), 'capabilities', 'twitch'], options);

    await expect(ran).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'error: .env: the file cannot be read\n  this user has no permission to read it: run the command as its owner, or give the file to the user of Fanfare: sudo chown fanfare .env\n',
    });
  });

  test('a folder with the name of the database', async () => {
    using directory = temporaryFolder();
    await mkdir(join(directory.path, 'fanfare.sqlite'));

    const { code, output } = await run({ environment: { FANFARE_DATA: directory.path } });

    expect(code).toBe(1);
    expect(output).toContain('the state cannot be stored here');
    expect(output).not.toContain('    at ');
  });

  test('a state folder that is a file', async () => {
    const { code, output } = await runCommand({ args: ['start'], environment: { FANFARE_DATA: 'package.json' } });

    // A stale build is reported first.
    expect(output).toMatch(/^error: package\.json: the data folder cannot be created\n.*set FANFARE_DATA to another folder/m);
    expect(output).not.toMatch(/\n +at /);
    expect(code).toBe(1);
  });
});
