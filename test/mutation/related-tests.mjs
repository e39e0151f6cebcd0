import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SPECIFIER = /\bfrom\s+'([^']+)'|\bimport\(\s*'([^']+)'/gu;

/** Finds the test files that import a source file, directly or through others, the closest first. */
export function relatedTests(root) {
  const files = globSync(['src/**/*.ts', 'adapters/**/*.ts', 'sandbox/**/*.ts', 'test/**/*.ts'], { cwd: root });
  const importers = new Map();
  for (const file of files)
    for (const [, fixed, lazy] of readFileSync(join(root, file), 'utf8').matchAll(SPECIFIER)) {
      const specifier = fixed ?? lazy;
      const target = specifier.startsWith('#')
        ? specifier.slice(1)
        : specifier.startsWith('.')
          ? join(dirname(file), specifier)
          : undefined;
      if (target !== undefined && existsSync(join(root, target))) importers.set(target, [...(importers.get(target) ?? []), file]);
    }

  return (source) => {
    const seen = new Set([source]);
    // A Set iterates over elements that are added during the iteration, so this is a breadth-first search.
    for (const file of seen) for (const importer of importers.get(file) ?? []) seen.add(importer);
    return [...seen].filter((file) => file.endsWith('.test.ts') && !file.endsWith('.deep.test.ts'));
  };
}
