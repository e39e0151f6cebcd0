import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { printFailure } from '#src/cli/print-failure.ts';
import { terminal, untilStopped } from '#src/cli/terminal.ts';
import { PlatformError } from '#src/errors.ts';

/** A terminal and its output. */
function opened({ isTTY = false, env = {} }: { readonly isTTY?: boolean; readonly env?: Readonly<Record<string, string>> } = {}): {
  readonly out: ReturnType<typeof terminal>;
  readonly written: () => string;
} {
  const pieces: string[] = [];
  const stream = { isTTY, write: (text: string) => pieces.push(text), on: () => undefined, listenerCount: () => 0 };
  return { out: terminal({ stdout: stream, stderr: stream, env }, ['check', 'rules']), written: () => pieces.join('') };
}

const FOREIGN = 'a\u001B]0;owned\u0007\u009B2J\u202Eb\u2066\u2028c\r\u007F';
const WRITTEN_OUT = 'a\\u001b]0;owned\\u0007\\u009b2J\\u202eb\\u2066\\u2028c\\u000d\\u007f';

test('control characters in foreign text are escaped', () => {
  const { out, written } = opened();

  out.print(`title: ${FOREIGN}\n\tnext`);
  out.printError(FOREIGN);
  printFailure(new PlatformError(FOREIGN, { platform: 'twitch', fault: 'rejected' }), out);

  expect(written()).toBe(`title: ${WRITTEN_OUT}\n\tnext\n${WRITTEN_OUT}\nerror: ${WRITTEN_OUT}\n`);
});

test('only the styles of Fanfare reach a terminal with colours', () => {
  const { out, written } = opened({ isTTY: true });

  out.print(`${out.paint('red', 'error')} \u001B[8mhidden\u001B[2Jcleared`);

  expect(written()).toBe('\u001B[31merror\u001B[39m \\u001b[8mhidden\\u001b[2Jcleared\n');
});

test('people who use npx get commands with npx; files in pipes stay', () => {
  const env = { npm_command: 'exec' };
  const text = 'run fanfare check, npx fanfare rules push or `fanfare rules`: the big fanfare tonight, sudo chown fanfare checked';
  const withNpx = text.replace('run fanfare', 'run npx fanfare').replace('`fanfare', '`npx fanfare');
  for (const [options, printed] of [
    [{ isTTY: true, env }, `${withNpx}\n${withNpx}\n`],
    [{ env }, `${text}\n${withNpx}\n`],
    [{ isTTY: true }, `${text}\n${text}\n`],
  ] as const) {
    const { out, written } = opened(options);
    out.print(text);
    out.printError(text);
    expect(written()).toBe(printed);
  }
});

test('without colours, foreign styles are escaped as well', () => {
  const { out, written } = opened();

  out.print('\u001B[31mred');

  expect(written()).toBe('\\u001b[31mred\n');
});

test.for([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ TERM: 'dumb' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '' }, false, true],
  [{ FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: 'false' }, true, false],
] as const)('with %j, output has colours: in a terminal (%j) %j', ([env, isTTY, color]) => {
  expect(opened({ isTTY, env }).out.color).toBe(color);
});

test('output that cannot be stored ends the process', () => {
  using exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('the process has ended');
  });
  let errors = '';
  let fail: (error: NodeJS.ErrnoException) => void = () => expect.fail('nothing listens');
  const stdout = { write: () => true, on: (_: 'error', listener: typeof fail) => (fail = listener), listenerCount: () => 1 };
  terminal({ stdout, stderr: { write: (text) => (errors += text), on: () => undefined }, env: {} });

  expect(() => fail(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }))).toThrow('the process has ended');

  expect(exit).toHaveBeenCalledWith(1);
  expect(errors).toBe('error: the output cannot be written (ENOSPC)\n');
});

test.each(['EPIPE', 'ENOSPC'])('errors that cannot be written with %s do not end the process', (code) => {
  using exit = vi.spyOn(process, 'exit');
  const stderr = new EventEmitter();
  terminal({
    stdout: { write: () => true, on: () => undefined, listenerCount: () => 0 },
    stderr: Object.assign(stderr, { write: () => true }),
    env: {},
  });

  // An event "error" without a listener throws.
  expect(() => stderr.emit('error', Object.assign(new Error(code), { code }))).not.toThrow();

  expect(exit).not.toHaveBeenCalled();
});

test.for([
  ['linux', 'SIGINT'],
  ['linux', 'SIGTERM'],
  // Ctrl+Break, and a closed window.
  ['win32', 'SIGBREAK'],
  ['win32', 'SIGHUP'],
] as const)('on %s, %s stops Fanfare', async ([platform, signal]) => {
  const listen = vi.spyOn(process, 'on').mockReturnThis();
  using _stdout = vi.spyOn(process.stdout, 'on').mockReturnThis();
  const stopped = untilStopped({ platform });
  const listeners = new Map<unknown, () => void>(listen.mock.calls);
  listen.mockRestore();

  listeners.get(signal)?.();

  await expect(stopped).resolves.toBeUndefined();
  // Elsewhere, it reloads the rules.
  expect(listeners.has('SIGHUP')).toBe(platform === 'win32');
});

test('a file system that refuses is a failure of the machine, not a bug', () => {
  const { out, written } = opened();

  const codes = [
    Object.assign(new Error('EACCES: permission denied, mkdir'), { code: 'EACCES', syscall: 'mkdir', path: 'rules' }),
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' }),
    Object.assign(new Error('EBUSY: resource busy or locked, rename'), { code: 'EBUSY', syscall: 'rename', path: 'data' }),
    Object.assign(new Error('EPERM: operation not permitted, rename'), { code: 'EPERM', syscall: 'rename', path: 'data' }),
  ].map((error) => printFailure(error, out));

  expect(codes).toEqual([1, 1, 1, 1]);
  expect(written()).toBe(
    'error: rules: this user has no permission (EACCES)\n  give it to this user, or run the command as its owner\n' +
      'error: the disk is full (ENOSPC)\n  make room on this disk, or use another one\n' +
      'error: data: the file is in use (EBUSY)\n  end the program that uses it, and run the command again\n' +
      'error: data: the file is in use, or this user has no permission (EPERM)\n' +
      '  end the program that uses it, or run the command as the owner of its folder\n',
  );
});
