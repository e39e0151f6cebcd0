import fc from 'fast-check';
import { limitShrinking } from './limited-shrinking.ts';

/** `npm run test:deep` sets this. */
const isDeep = process.env['FANFARE_DEEP'] !== undefined;

/** FANFARE_RUNS replaces the number of runs of all properties. */
const fixedRuns = process.env['FANFARE_RUNS'];

/** `.ci/run` sets this. */
const isHalf = process.env['FANFARE_HALF'] !== undefined;

/** The number of runs of a property: `quick` in `npm test`, `deep` in `npm run test:deep`. */
export function runs(quick: number, deep: number): number {
  if (fixedRuns !== undefined) return Number(fixedRuns);
  if (!isDeep) return quick;
  return isHalf && deep > quick ? Math.max(quick, Math.ceil(deep / 2)) : deep;
}

/** `npm test` has the same inputs in each run, `npm run test:deep` new ones: vitest.config.ts selects and prints their seed. */
export const seed = Number(process.env['FANFARE_SEED'] ?? 20_260_101);
fc.configureGlobal({ seed });
fc.installGlobalPlugin(limitShrinking({ limitMs: 60_000 }));

/** The one of `all` that a test with this number runs with. Runs with other seeds have the others. */
export function chosen<T>(all: readonly T[], number: number): T {
  const one = all[(number + seed) % all.length];
  if (one === undefined) throw new Error('there is nothing to choose from');
  return one;
}

/** The cases of a run: the first `quick` ones in `npm test`, all in `npm run test:deep`, and every second one, by the seed, in `.ci/run`. */
export function selected<T>(all: readonly T[], quick: number): readonly T[] {
  if (!isDeep) return all.slice(0, quick);
  return isHalf ? all.filter((_, index) => (index + seed) % 2 === 0) : all;
}

/** Any code point. The arbitrary of fast-check's unit `binary` first writes a table of all code points, which takes a second. */
export const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point));

/** A part of a path, a query or a fragment. */
function urlPart(others: string): fc.Arbitrary<string> {
  const plain = fc.constantFrom(...Array.from(`abcdefghijklmnopqrstuvwxyz0123456789${others}`));
  const encoded = codePoint.map((point) => encodeURIComponent(point.toWellFormed()));
  return fc.string({ unit: fc.oneof({ weight: 10, arbitrary: plain }, { weight: 1, arbitrary: encoded }) });
}

/** An address with a query and a fragment. The arbitrary of fast-check keeps a table of all code points: 80 MB, and a second to write. */
export const webUrl: fc.Arbitrary<string> = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    host: fc.domain(),
    path: fc.array(urlPart("-._~!$&'()*+,;=:@").map((part) => `/${part}`)),
    query: fc.option(
      urlPart("-._~!$&'()*+,;=:@/?").map((part) => `?${part}`),
      { nil: '' },
    ),
    fragment: fc.option(
      urlPart("-._~!$&'()*+,;=:@/?").map((part) => `#${part}`),
      { nil: '' },
    ),
  })
  .map(({ scheme, host, path, query, fragment }) => `${scheme}://${host}${path.join('')}${query}${fragment}`);

export { fc };
