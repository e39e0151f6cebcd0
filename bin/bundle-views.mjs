// Bundles the scripts of the views for browsers.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { Visitor } from 'rolldown/utils';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The keys of tables of texts: the languages of the page. */
const LANGUAGES = ['en', 'de'];

/**
 * The scripts, by their paths below the root of the page. `views.<language>.js` loads the view of the document, so that a reader loads the
 * code of one view with its texts in one language.
 */
export async function viewBundle() {
  const bundles = await Promise.all(LANGUAGES.map(bundleIn));
  return Object.assign({}, ...bundles);
}

async function bundleIn(language) {
  const { output } = await build({
    cwd: root,
    input: { [`views.${language}`]: 'src/web/browser/main.ts' },
    // A package has the sources without the settings of TypeScript.
    tsconfig: false,
    platform: 'browser',
    plugins: [{ name: 'one-language', transform: { filter: { id: /\.ts$/u }, handler: onlyIn(language) } }],
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

/** Removes the values of other languages from each object whose keys are the languages. A read of a removed value is an error. */
function onlyIn(language) {
  return function (code, id) {
    const [cuts, reads] = [[], []];
    new Visitor({
      ObjectExpression({ properties }) {
        const keys = properties.map(({ key }) => key?.name);
        if (keys.length !== LANGUAGES.length || !LANGUAGES.every((one) => keys.includes(one))) return;
        cuts.push(...properties.filter(({ key }) => key.name !== language));
      },
      MemberExpression({ property: { name, start } }) {
        if (LANGUAGES.includes(name) && name !== language) reads.push({ name, start });
      },
    }).visit(this.parse(code, { lang: 'ts' }));
    const read = reads.find(({ start }) => !cuts.some((cut) => cut.start < start && start < cut.end));
    if (read) throw new Error(`${id}: the scripts in "${language}" have no texts in "${read.name}", use the language of the reader`);
    if (cuts.length === 0) return undefined;
    let [kept, end] = ['', 0];
    for (const cut of cuts.toSorted((a, b) => a.start - b.start)) {
      // A removed value can contain such an object.
      if (cut.start < end) continue;
      kept += `${code.slice(end, cut.start)}${cut.key.name}: undefined`;
      ({ end } = cut);
    }
    kept += code.slice(end);
    return { code: kept, moduleType: 'ts' };
  };
}
