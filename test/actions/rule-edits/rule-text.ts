/** What a person wrote into a rule file. */
export interface WrittenRule {
  readonly id: string;
  readonly was?: string | undefined;
  readonly isOn: boolean;
  /** Identifies the text of its messages. */
  readonly mark: number;
  /** The value before the first firing. */
  readonly start?: number | undefined;
  /** The values of `each`; empty: the file has one rule. */
  readonly each?: readonly string[] | undefined;
  /** The number of comments that people added. */
  readonly comments: number;
}

/** The ids of the rules in a file, each with its previous id. */
export function idsOf({ id, was, each = [] }: WrittenRule): ReadonlyMap<string, string | undefined> {
  if (each.length === 0) return new Map([[id, was]]);
  return new Map(each.map((part) => [`${id}/${part}`, was === undefined ? undefined : `${was}/${part}`]));
}

/** A rule file with comments in the places where people write them. */
export function textOf({ id, was, isOn, mark, start = 0, each = [], comments }: WrittenRule): string {
  return [
    `# ${id}: ask grace before you change it${' !'.repeat(comments)}`,
    `id:   ${id} # the name of the card`,
    ...(was === undefined ? [] : [`was: ${was}`]),
    `enabled: ${isOn}`,
    ...(each.length === 0 ? [] : [`each: { part: [${each.join(', ')}] }`]),
    '',
    'when: { every: 30s, watch: streaming.getStreams, with: { users: [ada, grace] }, first: fire, confirm: { new: 1, gone: 1 } }',
    'fuse: { firings: 900, per: 1h }',
    `keep: { count: { start: ${start}, next: 'keep.count' } }`,
    'then:',
    `  - { do: discord.send, with: { channel: news, content: "v${mark}: \${{ item.id }}" } }   # ada: keep it short`,
    '',
  ].join('\n');
}

/** The same rule, as a person leaves it who has not finished. */
export function brokenTextOf(rule: WrittenRule): string {
  return textOf(rule).replace('when: {', 'when: { evry: 5s,');
}

/** A rule that the assistant drafted, and its tests. */
export function draftOf(id: string, mark: number): { readonly source: string; readonly tests: string } {
  const { text } = { text: textOf({ id, isOn: true, mark, comments: 0 }) };
  const tests = `rule: ${id}
start: 2026-11-20T18:00:00Z
cases:
  - it: announces ${mark}
    polls: [{ at: 0s, items: [] }, { at: 30s, items: [{ key: ada }] }]
    expect: [{ at: 30s, do: discord.send, with: { content: "/^v${mark}/" } }]
`;
  return { source: text.replace('enabled: true\n', ''), tests };
}

/** What Fanfare writes of a draft on the sandbox. */
export function writtenDraft(source: string): string {
  return source.replace('\n\nwhen', '\n\nenabled: sandbox # written on the sandbox; true runs it with real accounts\nwhen');
}
