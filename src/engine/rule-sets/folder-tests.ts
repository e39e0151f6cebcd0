import { fileVersion } from '#src/rules/regular-file.ts';
import { readTestFile, testFileOf, type TestText } from '#src/engine/testing/test-files.ts';

/** How many files are read in parallel. */
const FILES_TOGETHER = 256;

/** The tests beside a rule file. */
export interface FolderTest {
  readonly file: string;
  readonly content: TestText;
}

/** Creates a reader of the tests beside the rule files of a folder. It reads unchanged files once. */
export function createTestReader(folder: string): (ruleFiles: readonly string[]) => Promise<readonly FolderTest[]> {
  let known: ReadonlyMap<string, { readonly version: string | undefined; readonly test: FolderTest }> = new Map();

  async function read(file: string) {
    const version = await fileVersion(file);
    const before = known.get(file);
    if (before && version !== undefined && before.version === version) return before;
    const content = await readTestFile(file, [folder]);
    return content && { version, test: { file, content: withoutNull(content) } };
  }

  return async (ruleFiles) => {
    const found: NonNullable<Awaited<ReturnType<typeof read>>>[] = [];
    for (let from = 0; from < ruleFiles.length; from += FILES_TOGETHER) {
      const some = await Promise.all(ruleFiles.slice(from, from + FILES_TOGETHER).map((file) => read(testFileOf(file))));
      found.push(...some.filter((one) => one !== undefined));
    }
    known = new Map(found.map((one) => [one.test.file, one]));
    return found.map(({ test }) => test);
  };
}

/** PostgreSQL cannot store the character U+0000. */
function withoutNull(content: TestText): TestText {
  return 'text' in content && content.text.includes('\0') ? { unreadable: 'it contains the character U+0000' } : content;
}
