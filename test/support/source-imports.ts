import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** An import of one file by another. */
export interface SourceImport {
  readonly from: string;
  /** The imported file, for example `src/errors.ts`, or the package. */
  readonly to: string;
  readonly ours: boolean;
  readonly typeOnly: boolean;
  /** Whether it is a dynamic import. */
  readonly lazy: boolean;
}

const STATIC = /^(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const LAZY = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** All imports in a file, given by its path from the root. */
export function importsOf(file: string): readonly SourceImport[] {
  const text = readFileSync(file, 'utf8');
  const fixed = [...text.matchAll(STATIC)].map(([, type, name = '']) => ({ name, typeOnly: type !== undefined, lazy: false }));
  const lazy = [...text.matchAll(LAZY)].map(([, name = '']) => ({ name, typeOnly: false, lazy: true }));
  return [...fixed, ...lazy].map(({ name, ...rest }) => ({ from: file, ...resolve(file, name), ...rest }));
}

function resolve(file: string, name: string): { readonly to: string; readonly ours: boolean } {
  if (name.startsWith('.')) {
    const to = normalize(join(dirname(file), name));
    return { to, ours: /^(src|adapters|sandbox)\//.test(to) };
  }
  if (name.startsWith('#')) return { to: name.slice(1), ours: true };
  return { to: name, ours: false };
}
