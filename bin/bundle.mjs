// Bundles sources and packages with rolldown.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { viewBundle } from './bundle-views.mjs';
import { writeAsAscii } from './to-ascii.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Replaces globals that Node 22 lacks. */
const OLDER_NODE = join(root, 'bin/older-node.mjs');

/** Files that a chunk reads at run time from its folder. */
const ASSETS = { 'src/web/public': 'public', 'sandbox/discord/view/style.css': 'style.css' };

/**
 * Modules that several commands and platforms share: one chunk per group, with what its modules import. Otherwise each combination of
 * places that load a module on demand gets its own chunk, often of one line. The groups are what the help needs, what each other command
 * needs, what actions need, what the clients of platforms need, the parts of the store, and small modules of commands that read rules.
 */
const SHARED = [
  'bin/(older-node|light-http)|src/(errors|log|rules/(diagnostic|step-name|notice)|admin/language/reasons|rules/messages/.*|http/(media/file-errors|outcome|parse-json|.*rate-budgets))|' +
    'src/clients/operation/(text/.*|closest-name|duration|json|part|capability|spending)|' +
    'src/cli/(answering|document|format|print-warnings|refusal|terminal|usage-error)|src/rules/(decision|file-names)',
  'src/(clients/.*|admin/incoming-webhooks/recent-ids)',
  'src/admin/actions/.*',
  'src/http/(?!secrets|media).*',
  'src/store/(access|assemble|prune|restores)',
  'src/rules/(people/entry-account|evaluate/items/(item-names|accounts|item-fields)|document/read-text-file|reasons/reason)|src/config/(is-on|data-directory|dot-env-lines)|' +
    'src/engine/(delivery/delivery-texts|planner/(items-text|poll-platform)|posting/posts|testing/test-files|rule-sets/rule-versions|scheduler/(rest|rule-states)|simulation/account-facts)',
].map((paths) => new RegExp(`@oxc-project|/(${paths})\\.m?[jt]s$`.replaceAll('/', '[\\\\/]')));

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
      // A class of the library whose name another module has too keeps it in prints and errors.
      keepNames: isReadable,
      // Names stay, because stack traces and the names of errors show them.
      minify: isReadable ? false : { compress: true, mangle: false, codegen: { removeWhitespace: true } },
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      codeSplitting: { groups: SHARED.map((test, index) => ({ name: 'shared', test, priority: SHARED.length - index, minShareCount: 2 })) },
    },
  });
  writeAsAscii(dir, { keepsSource: (path) => isReadable && !path.includes('node_modules') });
  for (const [from, to] of Object.entries(ASSETS)) cpSync(join(root, from), join(dir, to), { recursive: true });
  mkdirSync(join(dir, 'public/views'), { recursive: true });
  for (const [path, code] of Object.entries(await viewBundle())) writeFileSync(join(dir, 'public', path), code);
}

function resolveId(name) {
  return name === 'http' || name === 'node:http' ? fileURLToPath(new URL('./light-http.mjs', import.meta.url)) : undefined;
}

/**
 * The web server takes the classes of fetch from the undici that Fanfare uses. Otherwise, Node loads its own copy for them. The routes of
 * the API do not extend zod. Otherwise, a start loads all of zod with its texts in all languages: 400 kB.
 */
function transform(code, id) {
  if (id.includes('/@hono/node-server/')) return `import { install } from 'undici';\ninstall();\n${code}`;
  if (!id.includes('/@hono/zod-openapi/')) return undefined;
  const light = code.replace('extendZodWithOpenApi(z);', '').replace('extendZodWithOpenApi, z }', 'extendZodWithOpenApi }');
  if (code.length - light.length !== 'extendZodWithOpenApi(z);, z'.length)
    throw new Error(`${id} changed: see transform() in bin/bundle.mjs`);
  return light;
}
