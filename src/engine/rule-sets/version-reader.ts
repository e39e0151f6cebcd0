import type { PublishedText } from '#src/rules/load.ts';
import { isTestFile } from '#src/engine/testing/test-files.ts';
import { publishedHash, type RuleVersion, type RuleVersions } from './rule-versions.ts';

/** Reads the version in force. */
export interface VersionReader {
  /** The files of the version in force; without a version, none. */
  read(): Promise<readonly PublishedText[]>;
  /** The version of the last read. */
  version(): RuleVersion | undefined;
}

/** Creates a reader that reads the files of a version once. */
export function createVersionReader(versions: Pick<RuleVersions, 'inForce' | 'files'>): VersionReader {
  let last: { readonly version: RuleVersion; readonly texts: readonly PublishedText[] } | undefined;

  async function read(): Promise<readonly PublishedText[]> {
    const version = await versions.inForce();
    if (version?.number === last?.version.number && version?.hash === last?.version.hash) return last?.texts ?? [];
    if (!version) {
      last = undefined;
      return [];
    }
    const files = await versions.files(version.number);
    // Many later versions can replace this one during the read.
    if (!files) return read();
    const rules = files.filter(({ file }) => !isTestFile(file));
    const texts = rules.map(({ file, source }) => ({ file, source, published: publishedHash(source) }));
    last = { version, texts };
    return texts;
  }

  return { read, version: () => last?.version };
}
