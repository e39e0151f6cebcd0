import { expect, test } from 'vitest';
import type { App } from '#src/app/app.ts';
import { start } from '#src/cli/start.ts';
import { collectLines } from './collect-lines.ts';

/** An application that runs until it is asked to stop. */
function runningApp(parts: Partial<App> = {}): App {
  return {
    url: 'http://127.0.0.1:8080',
    sandbox: 'inside',
    rules: [],
    off: [],
    out: [],
    diagnostics: [],
    reload: () => Promise.resolve(false),
    clockSetBack: new Promise(() => undefined),
    [Symbol.asyncDispose]: () => Promise.resolve(),
    ...parts,
  };
}

test('start restarts Fanfare after the clock was set back', async () => {
  const { out } = collectLines();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const happened: string[] = [];
  let starts = 0;

  await start({
    startApp: () => {
      const name = `run ${++starts}`;
      happened.push(name);
      if (starts === 2) setImmediate(stop);
      const end = { [Symbol.asyncDispose]: () => Promise.resolve(void happened.push(`${name} ends`)) };
      return Promise.resolve(runningApp({ ...end, ...(starts === 1 && { clockSetBack: Promise.resolve() }) }));
    },
    environment: {},
    out,
    untilStopped: () => stopped,
  });

  expect(happened).toEqual(['run 1', 'run 1 ends', 'run 2', 'run 2 ends']);
});

test('a stop request during the start ends the process, and closes its started parts', async () => {
  const { out, text } = collectLines();
  const { promise: begun, resolve: begin } = Promise.withResolvers<App>();
  const { promise: closed, resolve: close } = Promise.withResolvers<string>();

  let ending: AbortSignal | undefined;

  await start({
    startApp({ signal }) {
      ending = signal;
      return begun;
    },
    environment: {},
    out,
    untilStopped: () => Promise.resolve(),
  });
  begin(runningApp({ [Symbol.asyncDispose]: () => Promise.resolve(close('closed')) }));

  expect(text()).toBe('stopping');
  expect(ending?.aborted).toBe(true);
  expect(await closed).toBe('closed');
});

test.for([
  [{ text: 'a-token' }, 'with this token, which is valid for an hour:\n  a-token'],
  [{ text: undefined }, 'Another process printed a token for the page /sign-in/first-run'],
] as const)('start prints how the first person signs in: %j', async ([firstRun, expected]) => {
  const { out, text } = collectLines();

  await start({
    startApp: () => Promise.resolve(runningApp({ firstRun })),
    environment: {},
    out,
    untilStopped: () => new Promise((stop) => setImmediate(stop)),
  });

  expect(text()).toContain(expected);
  expect(text()).toContain('fanfare user add <name> --role admin');
});

test.for([
  [0, 'rules: none\nTo write a rule: npx fanfare new\n'],
  [2, 'rules: rule-0, rule-1\n'],
  [1_000, `rules: ${Array.from({ length: 30 }, (_, index) => `rule-${index}`).join(', ')} and 970 more\n`],
] as const)('start names the rules that run, but not thousands: %i rules', async ([count, expected]) => {
  const { out, text } = collectLines();
  const rules = Array.from({ length: count }, (_, index) => `rule-${index}`);

  await start({
    startApp: () => Promise.resolve(runningApp({ rules })),
    environment: {},
    out,
    untilStopped: () => new Promise((stop) => setImmediate(stop)),
  });

  expect(
    text()
      .split('\n')
      .map((line) => line.trim())
      .join('\n'),
  ).toContain(expected);
});

test('start says that a sandbox is used beside real accounts', async () => {
  const { out, text } = collectLines();

  await start({
    startApp: () => Promise.resolve(runningApp({ sandbox: 'beside' })),
    environment: {},
    out,
    untilStopped: () => new Promise((stop) => setImmediate(stop)),
  });

  expect(text()).toContain('real accounts, to which it sends what the sandbox simulates');
});

test.skipIf(process.platform === 'win32').for([
  ['with a change', true, ''],
  ['without a change', false, 'no rule has changed'],
  ['that cannot read the rules', undefined, 'the rules cannot be read: all rules keep running'],
] as const)('a signal to reload reports a reload %s', async ([, reloaded, expected]) => {
  const { out, text } = collectLines();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const before = process.listeners('SIGHUP');
  const started = start({
    startApp: () => Promise.resolve(runningApp({ reload: () => Promise.resolve(reloaded) })),
    environment: {},
    out,
    untilStopped: () => stopped,
  });
  await expect.poll(() => process.listenerCount('SIGHUP')).toBe(before.length + 1);
  const shown = text();

  process.emit('SIGHUP');
  await new Promise(setImmediate);

  expect(text().slice(shown.length).trim()).toBe(expected);
  stop();
  await started;
  for (const listener of process.listeners('SIGHUP')) if (!before.includes(listener)) process.off('SIGHUP', listener);
});
