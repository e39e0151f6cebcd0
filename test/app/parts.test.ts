import { expect, test } from 'vitest';
import { partsWith, working } from '#src/app/parts.ts';

/** Parts that note their starts and their stops. */
function stage() {
  const noted: string[] = [];
  const stopping = new AbortController();
  stopping.signal.addEventListener('abort', () => noted.push('abort'));
  const part = <Name extends string>(name: Name, { fails = false } = {}) => {
    return (given: object) => {
      if (fails) throw new Error(`${name} does not start`);
      noted.push(`+${name} after ${Object.keys(given).join(' ') || 'nothing'}`);
      return {
        ...({ [name]: true } as { readonly [N in Name]: true }), // the key is computed
        async [Symbol.asyncDispose]() {
          // A part that stops without waiting for the one after it would be noted too early.
          await Promise.resolve();
          noted.push(`-${name}`);
        },
      };
    };
  };
  return { noted, stopping, part };
}

test('parts start in order with the results of earlier parts, and stop in reverse order after the abort', async () => {
  const { noted, stopping, part } = stage();

  const started = await partsWith({}, stopping)
    .with(part('store'))
    .with(part('engine'))
    .with(() => ({ plain: 1 }))
    .with(part('page'))
    .start();
  const { store, engine, plain, page } = started.given;
  await started[Symbol.asyncDispose]();

  expect({ store, engine, plain, page }).toEqual({ store: true, engine: true, plain: 1, page: true });
  expect(noted).toEqual([
    '+store after nothing',
    '+engine after store',
    '+page after store engine plain',
    'abort',
    '-page',
    '-engine',
    '-store',
  ]);
});

test('if a part does not start, the parts before it stop in reverse order, and no later part starts', async () => {
  const { noted, stopping, part } = stage();
  const parts = partsWith({}, stopping)
    .with(part('store'))
    .with(part('engine'))
    .with(part('page', { fails: true }))
    .with(part('ticks'));

  await expect(parts.start()).rejects.toThrow('page does not start');

  expect(noted).toEqual(['+store after nothing', '+engine after store', 'abort', '-engine', '-store']);
});

test('an abort during the start of a part starts no later part, and stops the part and those before it', async () => {
  const { noted, stopping, part } = stage();
  const parts = partsWith({}, stopping)
    .with(part('store'))
    .with((given) => {
      stopping.abort();
      return part('engine')(given);
    })
    .with(part('ticks'));

  await expect(parts.start()).rejects.toThrow('aborted');

  expect(noted).toEqual(['+store after nothing', 'abort', '+engine after store', '-engine', '-store']);
});

test('a part that does not stop does not prevent other parts from stopping', async () => {
  const { noted, stopping, part } = stage();
  const started = await partsWith({}, stopping)
    .with(part('store'))
    .with(() => ({ [Symbol.asyncDispose]: () => Promise.reject(new Error('it hangs')) }))
    .with(part('page'))
    .start();

  await expect(started[Symbol.asyncDispose]()).rejects.toThrow('it hangs');

  expect(noted.slice(-3)).toEqual(['abort', '-page', '-store']);
});

test('a part stops when its work has ended', async () => {
  const { noted, stopping, part } = stage();
  const work = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () =>
      setImmediate(() => {
        noted.push('work ended');
        resolve();
      }),
    );
  });
  const started = await partsWith({}, stopping)
    .with(part('store'))
    .with(() => working(work))
    .start();

  await started[Symbol.asyncDispose]();

  expect(noted.slice(-3)).toEqual(['abort', 'work ended', '-store']);
});
