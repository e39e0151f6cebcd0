import { readFile } from 'node:fs/promises';
import type { Log } from '#src/log.ts';

/** The scripts in a build, beside the other files of the page. */
const BUILT = new URL('./public/', import.meta.url);
/** The bundler of the sources. The build does not contain it, so its address is not a literal. */
const BUNDLER = new URL('../../bin/bundle-views.mjs', import.meta.url);
/** The script of a language, and the parts that it loads, with the hash of their content. */
const NAME = /^(?:views\.\w+|views\/\w[\w-]*)\.js$/u;

let bundle: Promise<Readonly<Record<string, string>>> | undefined;

/**
 * A script of the views: a file of a build, or of a bundle of the sources, made once. Undefined if there is no such script, or if the
 * sources run without the development dependencies. The views are readable and searchable without the scripts.
 */
export function viewScript(name: string, log: Log): Promise<string | undefined> {
  if (!NAME.test(name)) return Promise.resolve(undefined);
  return readFile(new URL(name, BUILT), 'utf8').catch(async () => (await (bundle ??= bundled(log)))[name]);
}

async function bundled(log: Log): Promise<Readonly<Record<string, string>>> {
  try {
    const { viewBundle }: { readonly viewBundle: () => Promise<Readonly<Record<string, string>>> } = await import(BUNDLER.href);
    return await viewBundle();
  } catch (error) {
    log.warn({ error }, 'the scripts of the views could not be bundled, so they do not update themselves; run npm ci and npm run build');
    return {};
  }
}
