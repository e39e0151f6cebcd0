import { fc } from '../../support/property.ts';

/** The parts of the rules that people edit in a walk. */
export interface WalkedRules {
  /** The end of the ids. */
  readonly suffix: string;
  /** The end of the ids before a rename. */
  readonly was?: string;
  readonly isOn: boolean;
  readonly waitMinutes: number;
  /** Whether streams with the title poker do not count. */
  readonly isFiltered: boolean;
  readonly graceMinutes: number;
}

const someWait = fc.constantFrom(0, 0, 0, 3);
const someGrace = fc.constantFrom(0, 3);

export const someRules: fc.Arbitrary<WalkedRules> = fc.record({
  suffix: fc.constant(''),
  isOn: fc.constant(true),
  waitMinutes: someWait,
  isFiltered: fc.boolean(),
  graceMinutes: someGrace,
});

/** An edit of one part. */
export const someEdit: fc.Arbitrary<Partial<WalkedRules>> = fc.oneof(
  someWait.map((waitMinutes) => ({ waitMinutes })),
  someGrace.map((graceMinutes) => ({ graceMinutes })),
  fc.boolean().map((isFiltered) => ({ isFiltered })),
);

/** The files of a rule that keeps a card for each stream, and of a rule that announces each change. */
export function filesOf({ suffix, was, isOn, waitMinutes, graceMinutes, isFiltered }: WalkedRules): Readonly<Record<string, string>> {
  const grace = graceMinutes === 0 ? '' : `, grace: ${graceMinutes}m`;
  const where = isFiltered ? ', where: item.title != "poker"' : '';
  const when = `every: 1m, watch: streaming.getStreams, with: { users: [ada, grace] }, key: item.id, first: fire, maxAge: 12h${grace}${where}`;

  const card = `"card \${{ item.id }} \${{ item.title }}"`;
  const idOf = (id: string): readonly string[] => [`id: ${id}${suffix}`, ...(was === undefined ? [] : [`was: ${id}${was}`]), ...head];
  const head = [`enabled: ${isOn}`, 'fuse: { firings: 900, per: 1h }'];
  const wait = waitMinutes === 0 ? [] : [`  - wait: ${waitMinutes}m`];
  const cardRule = [
    ...idOf('card'),
    `when: { ${when}, confirm: { new: 1, gone: 1 } }`,
    'then:',
    ...wait,
    `  - { id: card, do: discord.send, with: { channel: live, content: ${card} } }`,
    'while:',
    `  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: ${card} } }`,
    'finally:',
    `  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "over \${{ item.id }}" } }`,
    '',
  ];
  const changesRule = [
    ...idOf('changes'),
    `when: { ${when}, confirm: { new: 1, gone: 1 }, changes: [entered, { changed: [title] }, left] }`,
    'then:',
    ...wait,
    `  - { do: discord.send, with: { channel: news, content: "\${{ change.kind }} \${{ item.id }} \${{ item.title }}" } }`,
    '',
  ];
  return { 'card.yaml': cardRule.join('\n'), 'changes.yaml': changesRule.join('\n') };
}
