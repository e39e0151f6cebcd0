// Writes the licences of the bundled packages, which their authors require in each copy.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const TYPES_ONLY = 'node_modules/@types/';

/** The packages that production needs on every machine, by their folder. */
export function bundledPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional && !path.startsWith(TYPES_ONLY))
    .map(([path, { version, license }]) => ({ path, name: path.replace(/^.*node_modules\//u, ''), version, license }));
}

/** Writes one file with the licence of every bundled package. */
export function writeLicenses(file) {
  const parts = bundledPackages().map((found) => `${found.name} ${found.version} (${found.license})\n\n${licenseOf(found)}\n`);
  writeFileSync(file, `Fanfare contains code of these packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`);
}

function licenseOf({ path, license }) {
  const folder = join(root, path);
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/iu.test(name));
  if (files.length > 0) return files.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
  const { author, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${license}, by ${author?.name ?? author ?? repository?.url ?? repository}`;
}
