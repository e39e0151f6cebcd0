import { globSync, readFileSync } from 'node:fs';

/** The YAML blocks of a page. A block that starts with another word, such as ```yaml wrong, is not read. */
export interface Page {
  readonly file: string;
  readonly text: string;
  /** The rules: blocks with `id:` and `when:`. */
  readonly rules: readonly Block[];
  /** The tests of rules: blocks with `rule:` and `cases:`. */
  readonly tests: readonly Block[];
  /** The content of `fanfare.yaml`: blocks with one of its keys. */
  readonly configs: readonly string[];
  /** Parts of a rule: all other blocks. */
  readonly parts: readonly string[];
}

interface Block {
  /** The id of the rule. */
  readonly id: string;
  readonly source: string;
}

/** All pages, without the decision records. */
export function pageFiles(): readonly string[] {
  return ['README.md', ...globSync('docs/**/*.md', { exclude: ['docs/decisions/**'] })].toSorted();
}

export function readPage(file: string): Page {
  const text = readFileSync(file, 'utf8');
  return { file, text, ...sortBlocks(text) };
}

/** Sorts the YAML blocks of a page by their keys. */
export function sortBlocks(text: string): Pick<Page, 'rules' | 'tests' | 'configs' | 'parts'> {
  const blocks = [...text.matchAll(/^```yaml\n([^]*?)^```$/gmu)].map(([, source = '']) => source);
  const kinds = Map.groupBy(blocks, kindOf);
  return {
    rules: (kinds.get('rule') ?? []).map((source) => ({ id: keyOf(source, 'id') ?? '', source })),
    tests: (kinds.get('tests') ?? []).map((source) => ({ id: keyOf(source, 'rule') ?? '', source })),
    configs: kinds.get('config') ?? [],
    parts: kinds.get('part') ?? [],
  };
}

function kindOf(source: string): 'rule' | 'tests' | 'config' | 'part' {
  if (keyOf(source, 'id') !== undefined && keyOf(source, 'when') !== undefined) return 'rule';
  if (keyOf(source, 'rule') !== undefined && keyOf(source, 'cases') !== undefined) return 'tests';
  return ['accounts', 'defaults', 'budgets', 'posts', 'discord'].some((key) => keyOf(source, key) !== undefined) ? 'config' : 'part';
}

/** The text after a key at the start of a line. */
function keyOf(source: string, key: string): string | undefined {
  return new RegExp(`^${key}:[ ]*(.*?)(?: #.*)?$`, 'mu').exec(source)?.[1];
}
