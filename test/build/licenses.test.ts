import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

const Lock = z.object({
  packages: z.record(z.string(), z.object({ license: z.string().optional(), dev: z.boolean().optional() })),
});
const { packages } = Lock.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
const production = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);

/** Licences of code that an MIT project may contain, with their notices. */
const PERMISSIVE = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'];
/** Whether the licence is permissive, or offers a permissive choice. */
function isPermissive(license: string): boolean {
  return license
    .replaceAll(/[()]/gu, '')
    .split(' OR ')
    .some((one) => PERMISSIVE.includes(one));
}
/** libvips is LGPL: a separate library, which npm installs as a separate package and nothing bundles. */
const SEPARATE = /^node_modules\/@img\/sharp-/u;

test('every production dependency has a licence that allows MIT', () => {
  const others = production.filter(([, { license = '' }]) => !isPermissive(license));

  expect(production.length).toBeGreaterThan(50);
  expect(others.filter(([path]) => !SEPARATE.test(path))).toEqual([]);
});

test('package.json names the licence of the file LICENSE', () => {
  const { license } = z.object({ license: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')));

  expect(readFileSync('LICENSE', 'utf8')).toMatch(new RegExp(`^${license} License`, 'u'));
});
