// Bundles sources and packages with rolldown.
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { writeAsAscii } from './to-ascii.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Replaces globals that Node 22 lacks. */
const OLDER_NODE = join(root, 'bin/older-node.mjs');

/** Files that a chunk reads at run time from its folder. */
const ASSETS = { 'src/web/public': 'public', 'sandbox/discord/view/style.css': 'style.css' };

/**
 * Writes one file per entry, the chunks that entries share, and the source maps. The lines of a readable bundle are short, because Node
 * prints the line of an error that nobody catches. Its source maps contain the sources of Fanfare, which the package does not.
 */
export async function bundleInto(dir, input, { external = [], isReadable = false } = {}) {
  const entries = new Set(Object.values(input).map((path) => join(root, path)));
  await build({
    cwd: root,
    input,
    platform: 'node',
    external: ['sharp', ...external],
    transform: {
      target: 'node22',
      inject: { AsyncDisposableStack: [OLDER_NODE, 'AsyncDisposableStack'], 'RegExp.escape': [OLDER_NODE, 'escape'] },
    },
    plugins: [
      { name: 'undici-of-fanfare', resolveId, transform },
      {
        name: 'node-version-first',
        transform: (code, id) => (entries.has(id) ? `import ${JSON.stringify(OLDER_NODE)};\n${code}` : undefined),
      },
    ],
    logLevel: 'silent',
    output: {
      dir,
      format: 'esm',
      sourcemap: true,
      // Names stay, because stack traces and the names of errors show them.
      minify: isReadable ? false : { compress: true, mangle: false, codegen: { removeWhitespace: true } },
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    },
  });
  writeAsAscii(dir, { keepsSource: (path) => isReadable && !path.includes('node_modules') });
  for (const [from, to] of Object.entries(ASSETS)) cpSync(join(root, from), join(dir, to), { recursive: true });
}

function resolveId(name) {
  return name === 'http' || name === 'node:http' ? fileURLToPath(new URL('./light-http.mjs', import.meta.url)) : undefined;
}

/** The web server takes the classes of fetch from the undici that Fanfare uses. Otherwise, Node loads its own copy for them. */
function transform(code, id) {
  return id.includes('/@hono/node-server/') ? `import { install } from 'undici';\ninstall();\n${code}` : undefined;
}
