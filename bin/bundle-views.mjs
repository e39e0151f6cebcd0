// Bundles the scripts of the views for browsers.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The scripts, by their paths below the root of the page. `views.js` loads the view of the document, so that a reader loads the code and
 * the texts of one view.
 */
export async function viewBundle() {
  const { output } = await build({
    cwd: root,
    input: { views: 'src/web/browser/main.ts' },
    // A package has the sources without the settings of TypeScript.
    tsconfig: false,
    platform: 'browser',
    write: false,
    logLevel: 'silent',
    output: {
      format: 'esm',
      minify: true,
      entryFileNames: '[name].js',
      chunkFileNames: 'views/[name]-[hash].js',
      // One file with what several views use, because each file is a request.
      codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
    },
  });
  return Object.fromEntries(output.map(({ fileName, code }) => [fileName, code]));
}
