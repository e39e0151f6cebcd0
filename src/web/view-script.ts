import { readFile } from 'node:fs/promises';
import type { Log } from '#src/log.ts';

/** The bundle in a build, beside the other files of the page. */
const BUILT = new URL('./public/views.js', import.meta.url);
/** The bundler of the sources. The build does not contain it, so its address is not a literal. */
const BUNDLER = new URL('../../bin/bundle-views.mjs', import.meta.url);

let made: Promise<string | undefined> | undefined;

/**
 * The script of the views: the file of a build, or a bundle of the sources, made once. Undefined if the sources run without the
 * development dependencies. The views are readable and searchable without the script.
 */
export function viewScript(log: Log): Promise<string | undefined> {
  return (made ??= readFile(BUILT, 'utf8').catch(() => bundled(log)));
}

async function bundled(log: Log): Promise<string | undefined> {
  try {
    const { viewBundle }: { readonly viewBundle: () => Promise<string> } = await import(BUNDLER.href);
    return await viewBundle();
  } catch (error) {
    log.warn({ error }, 'the script of the views could not be bundled, so they do not update themselves; run npm ci and npm run build');
    return undefined;
  }
}
