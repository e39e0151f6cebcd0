import { catalogue } from '#src/clients/catalogue.ts';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { checkRule, type CheckRuleOptions, type CheckedRule } from '#src/rules/check/check-rule.ts';
import type { Rule, Scope } from '#src/rules/rule.ts';

/** Every operation that rules can name. */
export { catalogue };

/** One streaming account, two default social accounts, and one account of each other client. */
export const accounts: Accounts = {
  streaming: { all: ['twitch'], defaults: [] },
  social: { all: ['bluesky', 'mastodon'], defaults: ['bluesky', 'mastodon'] },
  discord: { all: ['discord'], defaults: [] },
  assistant: { all: ['assistant'], defaults: [] },
  feed: { all: ['feed'], defaults: [] },
  history: { all: ['history'], defaults: [] },
};

/** A rule that watches a ranking. Its second step reads the result of the first step. */
export const TOP_FIVE = `
id: valorant-top
about: Announces streams that enter the top five of VALORANT.
when:
  every: 5m
  watch: streaming.getGameStreams
  with: { game: VALORANT }
  where: item.viewerCount >= 1000
  take: 5
  changes: [entered]
  settle: 2m
cooldown: 6h
then:
  - id: post
    do: social.createPost
    with:
      text: "\${{ item.owner.displayName }} is now #\${{ item.rank }} in VALORANT with \${{ compact(item.viewerCount) }} viewers \${{ item.url }}"
  - do: discord.send
    with:
      channel: stream-news
      content: "New in the top five: \${{ item.owner.displayName }} \${{ steps.post.url }}"
`;

export interface Overrides {
  readonly accounts?: Accounts;
  readonly nowMs?: number;
  readonly isOn?: CheckRuleOptions['isOn'];
  readonly lists?: CheckRuleOptions['lists'];
}

/** Checks a rule as the file `rules/x.yaml`. */
export function check(source: string, overrides: Overrides = {}): CheckedRule {
  return checkRule({ file: 'rules/x.yaml', source, catalogue, accounts, ...overrides });
}

/** All rules of a file. Throws its diagnostics if it has errors. */
export function rulesOf(source: string): readonly Rule[] {
  const { rules, diagnostics } = check(source);
  if (rules.length === 0) throw new Error(diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n'));
  return rules;
}

/** The rule of a file, or the first rule of `each`. Throws its diagnostics if it has errors. */
export function ruleOf(source: string): Rule {
  const [rule] = rulesOf(source);
  if (!rule) throw new Error('there is no rule');
  return rule;
}

/** The diagnostics, one line each, for example `4:3 error unknown-key when.evry`. A mark `▲` in the source stands for its location. */
export function diagnosticsOf(marked: string, overrides?: Overrides): readonly string[] {
  const { source, place } = unmark(marked);
  return check(source, overrides).diagnostics.map(({ line, column, severity, code, path }) => {
    const at = `${line}:${column}`;
    return `${marked === source || at !== place ? at : '▲'} ${severity} ${code} ${path}`.trimEnd();
  });
}

/** The hints of the diagnostics. */
export function hintsOf(source: string): readonly (string | undefined)[] {
  return check(source).diagnostics.map(({ hint }) => hint);
}

/** A stream with all fields, as rules see it. */
export const ada = {
  platform: 'twitch',
  id: '41',
  url: 'https://twitch.tv/ada_',
  owner: { platform: 'twitch', id: '9', url: 'https://twitch.tv/ada_', handle: 'ada_', displayName: 'Ada' },
  game: { platform: 'twitch', id: '7', url: 'https://twitch.tv/directory/category/chess', name: 'Chess' },
  title: 'Ranked until I win',
  viewerCount: 740,
  startedAt: '2026-11-20T18:00:00.000Z',
  language: 'en',
  tags: ['English', 'chill'],
  mature: false,
  thumbnailUrl: 'https://example.test/ada.jpg?t=1',
  thumbnailTemplate: 'https://example.test/ada-{width}x{height}.jpg',
  fetchedAt: '2026-11-20T20:05:00.000Z',
  rank: 4,
} as const satisfies JsonObject;

/** The scope of a firing, two hours and five minutes after the start of the stream. */
export function scopeOf(item: JsonObject = ada, over: Partial<Scope> = {}): Scope {
  const change = { kind: 'entered', item, rank: item['rank'] };
  return {
    item,
    change,
    episode: { id: '9@2026-11-20', startedAt: ada.startedAt, lengthMs: 7_500_000, polls: 5, peak: { viewerCount: 9000 } },
    items: [item],
    changes: { entered: [change], left: [], moved: [], changed: [], rose: [], fell: [] },
    rule: { id: 'x' },
    now: '2026-11-20T20:05:00.000Z',
    ...over,
  };
}

/** The record without some of its fields. `game.name` is a field of `game`. */
export function without(record: JsonObject, ...paths: readonly string[]): JsonObject {
  return paths.reduce<JsonObject>((rest, path) => {
    const [field = '', ...inside] = path.split('.');
    const { [field]: value, ...others } = rest;
    return inside.length > 0 && isRecord(value) ? { ...others, [field]: without(value, inside.join('.')) } : others;
  }, record);
}

function isRecord(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes the mark `▲` from a source and returns its location, for example `4:12`. */
export function unmark(marked: string): { readonly source: string; readonly place: string } {
  const before = marked.split('▲')[0] ?? '';
  const lines = before.split('\n');
  return { source: marked.replace('▲', ''), place: `${lines.length}:${(lines.at(-1) ?? '').length + 1}` };
}
