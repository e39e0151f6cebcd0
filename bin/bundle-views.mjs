// Bundles the script of the views for browsers.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The script as one module, with everything that it imports. */
export async function viewBundle() {
  const { output } = await build({
    cwd: root,
    input: 'src/web/browser/main.ts',
    // A package has the sources without the settings of TypeScript.
    tsconfig: false,
    platform: 'browser',
    write: false,
    logLevel: 'silent',
    output: { format: 'esm', minify: true },
  });
  return output[0].code;
}
