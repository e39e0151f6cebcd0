// Writes the .d.ts files of the library.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SPECIFIER = /(?<=\b(?:from |import |import\())(["'])([#.][^"']*\.ts)\1/gu;
/** Without these lines, a project whose tsconfig has no `types` or an older `lib` lacks `AsyncDisposable`, `AbortSignal` or `Buffer`. */
const GLOBALS = '/// <reference types="node" />\n/// <reference lib="esnext.disposable" />\n/// <reference lib="es2022" />\n';

/** Finds packages in imports. */
const PACKAGE = /\b(?:from |import |import\()["']([^.#"'][^"']*)["']/gu;

/**
 * Declares the types of the entries, and of the files that they import, in `dir`. Throws if a file cannot be declared, or needs a
 * package that is not installed with the library.
 */
export function declareTypes(dir, entries, { packages }) {
  const all = mkdtempSync(join(tmpdir(), 'fanfare-types-'));
  try {
    compile(all, entries);
    const pending = [...entries];
    for (const source of pending) {
      const path = source.replace(/\.ts$/u, '.d.ts');
      const text = readFileSync(join(all, path), 'utf8').replace(SPECIFIER, (_, quote, specifier) => {
        const imported = specifier.startsWith('#') ? specifier.slice(1) : join(dirname(source), specifier);
        if (!pending.includes(imported)) pending.push(imported);
        return quote + relativePath(source, imported).replace(/\.ts$/u, '.js') + quote;
      });
      const missing = [...text.matchAll(PACKAGE)].find(([, name]) => !name.startsWith('node:') && !packages.includes(name));
      if (missing) throw new Error(`the types of ${source} need ${missing[1]}, which is not installed with the library`);
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), entries.includes(source) ? GLOBALS + text : text);
    }
  } finally {
    rmSync(all, { recursive: true });
  }
}

/** `tsc` declares every file that an entry reaches, also those that only the code imports. */
function compile(outDir, entries) {
  const config = join(outDir, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    declaration: true,
    stripInternal: true,
    rootDir: root,
    outDir,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const files = entries.map((entry) => join(root, entry));
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files }));
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the type declarations cannot be written:\n${stdout}`);
}

function relativePath(from, to) {
  const path = relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}
