import { fc } from '../../../support/property.ts';

export const USERS = ['ada', 'grace', 'linus', 'mary'];

const KEYS = [undefined, 'item.id', 'item.owner.handle', 'item.owner.id'];

/** Keys of the file whose edit changes no list. */
const TIMELESS = [
  'about: A rule.',
  'mode: parallel',
  'max: 90',
  'cooldown: 1s',
  'fuse: { firings: 900, per: 1h }',
  'quiet: { from: "03:00", to: "03:10", timezone: UTC, then: hold }',
  'if: "true"',
];

/** The edited parts of a rule. */
export interface EditedRule {
  readonly id: string;
  readonly was: string | undefined;
  readonly users: readonly string[];
  readonly above: number;
  readonly key: number;
  readonly timeless: readonly number[];
  readonly first: 'silent' | 'fire';
  readonly maxAge: string;
  readonly text: string;
  readonly isOn: boolean;
  readonly isReversed: boolean;
}

export const START: EditedRule = {
  id: 'live',
  was: undefined,
  users: ['ada', 'grace'],
  above: 50,
  key: 0,
  timeless: [],
  first: 'silent',
  maxAge: '1h',
  text: 'live',
  isOn: true,
  isReversed: false,
};

const someUsers = fc.subarray(USERS, { minLength: 1 });

/** An edit of one or several keys. */
export const someChange: fc.Arbitrary<Partial<EditedRule>> = fc.oneof(
  someUsers.map((users) => ({ users })),
  someUsers.map((users) => ({ users: users.toReversed() })),
  fc.constantFrom(20, 50, 500).map((above) => ({ above })),
  fc.nat(KEYS.length - 1).map((key) => ({ key })),
  fc.record({ users: someUsers, above: fc.constantFrom(20, 50, 500), key: fc.nat(KEYS.length - 1) }),
  fc.subarray(TIMELESS.map((_, at) => at)).map((timeless) => ({ timeless })),
  fc.record({ first: fc.constantFrom('silent', 'fire'), maxAge: fc.constantFrom('1h', '2h'), text: fc.constantFrom('live', 'on air') }),
  fc.boolean().map((isReversed) => ({ isReversed })),
);

/** The file of the rule. */
export function textOf({ id, was, users, above, key, timeless, first, maxAge, text, isOn, isReversed }: EditedRule): string {
  const keyLine = KEYS[key] === undefined ? [] : [`key: ${KEYS[key]}`];
  const when = [
    'every: 10s',
    'watch: streaming.getStreams',
    `with: { users: [${users.join(', ')}] }`,
    `where: item.viewerCount > ${above}`,
    ...keyLine,
    'confirm: { new: 1, gone: 1 }',
    `first: ${first}`,
    `maxAge: ${maxAge}`,
  ];
  const blocks = [
    `id: ${id}`,
    ...(was === undefined ? [] : [`was: ${was}`]),
    `enabled: ${isOn}`,
    `when: { ${(isReversed ? when.toReversed() : when).join(', ')} }`,
    ...timeless.flatMap((at) => TIMELESS[at] ?? []),
    `then:\n  - { id: card, do: discord.send, with: { channel: live, content: "\${{ item.id }} ${text}" } }`,
    `finally:
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: over } }
  - { do: discord.send, with: { channel: live, content: "\${{ item.id }} is over" } }`,
  ];
  return `${(isReversed ? blocks.toReversed() : blocks).join('\n')}\n`;
}
