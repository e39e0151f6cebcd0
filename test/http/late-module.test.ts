import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PlatformError, lateModule } from '#src/errors.ts';

/** Runs a module in a process in which `missing()` makes sharp and file-type impossible to load, as an upgrade in place does. */
function run(code: string): unknown {
  const before = `
    import { registerHooks } from 'node:module';
    import { readMedium } from '#src/http/media/read-medium.ts';
    import { loadLateModules } from '#src/errors.ts';
    const missing = () => registerHooks({
      resolve(name, context, next) {
        if (['sharp', 'file-type'].includes(name)) throw Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' });
        return next(name, context);
      },
    });
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    const read = () => readMedium({ bytes: png }, { limits: { platform: 'x', mostBytes: { image: 1000 } } })
      .then(({ type }) => ({ type }), ({ name, fault, message }) => ({ name, fault, message }));
    const print = (value) => console.log(JSON.stringify(value));
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', `${before}${code}`], {
    cwd: resolve('.'),
    encoding: 'utf8',
  });
  return JSON.parse(stdout);
}

describe('if packages are missing', () => {
  test('a picture is not sent yet, as in an outage', () => {
    expect(run('missing(); print(await read());')).toEqual({
      name: 'PlatformError',
      fault: 'unreachable',
      message: 'file-type cannot be loaded: its files are missing or were replaced. Restart Fanfare.',
    });
  });

  test('a process that loaded them before reads pictures', () => {
    expect(run('await loadLateModules(); missing(); print(await read());')).toEqual({ type: 'image/png' });
  });
});

test('a module is loaded again after a failure', async () => {
  let isThere = false;
  const load = lateModule('colors', async () => {
    if (!isThere) throw new Error('gone');
    return 'blue';
  });

  await expect(load()).rejects.toBeInstanceOf(PlatformError);
  isThere = true;
  await expect(load()).resolves.toBe('blue');
});
