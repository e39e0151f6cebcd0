import { definitionOf, platformsFor, type ClientName } from '#src/config/accounts.ts';
import type { JsonSchema } from '#src/rules/editor-schema.ts';

/** A file of a new project, with its path in the folder of the project. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

export interface ProjectFilesOptions {
  readonly ruleSchema: JsonSchema;
  readonly listSchema: JsonSchema;
  readonly configSchema: JsonSchema;
}

/** The lines of `.gitignore`: secrets, and the state with its backups, which have private texts. */
export const IGNORED_BY_GIT: readonly string[] = ['.env', 'data/', 'backups/', '*.sqlite*', 'node_modules/'];

/** The files that `fanfare init` writes. */
export function projectFiles({ ruleSchema, listSchema, configSchema }: ProjectFilesOptions): readonly ProjectFile[] {
  return [
    // The test first, because a running Fanfare runs a rule as soon as its file exists.
    { path: 'rules/first-rule.test.yaml', text: FIRST_TEST },
    { path: 'rules/first-rule.yaml', text: FIRST_RULE },
    { path: 'fanfare.yaml', text: CONFIG },
    { path: '.env.example', text: ENVIRONMENT },
    { path: '.gitignore', text: lines(...IGNORED_BY_GIT) },
    { path: '.vscode/rule.schema.json', text: json(ruleSchema) },
    { path: '.vscode/list.schema.json', text: json(listSchema) },
    { path: '.vscode/fanfare.schema.json', text: json(configSchema) },
    { path: '.vscode/settings.json', text: json(EDITOR_SETTINGS) },
    { path: '.vscode/extensions.json', text: json({ recommendations: ['redhat.vscode-yaml'] }) },
  ];
}

const EDITOR_SETTINGS = {
  'yaml.schemas': {
    './.vscode/rule.schema.json': ['rules/**/*.yaml', '!rules/**/*.test.yaml'],
    './.vscode/list.schema.json': 'lists/*.yaml',
    './.vscode/fanfare.schema.json': 'fanfare.yaml',
  },
  'files.associations': { '.env*': 'properties' },
};

const FIRST_RULE = lines(
  '# yaml-language-server: $schema=../.vscode/rule.schema.json',
  '# Change the game, the minimum number of viewers and the channel.',
  '# The intervals suit the sandbox. For real streams, write `every: 5m`, `settle: 10m` and `enabled: true`, and remove `fuse`.',
  'id: first-rule',
  'about: Announces streams that enter the top five of VALORANT.',
  'enabled: sandbox # true: also runs with real accounts',
  '',
  'when:',
  '  every: 10s',
  '  watch: streaming.getGameStreams',
  '  with: { game: VALORANT }',
  '  where: item.viewerCount >= 1000',
  '  take: 5',
  '  changes: [entered]',
  '  settle: 10s # streams that leave the top five before this time are not announced',
  'cooldown: 6h # no streamer is announced twice within this time',
  'fuse: { firings: 300, per: 1h } # the rule pauses after more announcements; the sandbox has many',
  '',
  'then:',
  '  - do: discord.send',
  '    with:',
  '      channel: stream-news',
  '      content: "${{ item.owner.displayName }} is #${{ item.rank }} in VALORANT with ${{ compact(item.viewerCount) }} viewers: ${{ item.url }}"',
);

const FIRST_TEST = lines(
  'rule: first-rule',
  'start: 2026-11-20T18:00:00Z',
  'cases:',
  '  - it: announces a stream that is still in the top five after ten seconds',
  '    polls:',
  '      - { at: 0s, items: [{ key: ada, viewerCount: 9000 }] }',
  '      - { at: 10s, items: [{ key: ada, viewerCount: 9000 }, { key: grace, viewerCount: 5000 }] }',
  '      - { at: 20s, items: [{ key: ada, viewerCount: 9000 }, { key: grace, viewerCount: 5000 }] }',
  '    expect:',
  '      - { at: 20s, do: discord.send, with: { channel: stream-news, content: "/^grace is #2 in VALORANT with 5K viewers/" } }',
  '',
  '  - it: announces nothing below 1000 viewers',
  '    polls:',
  '      - { at: 0s, items: [] }',
  '      - { at: 10s, items: [{ key: grace, viewerCount: 999 }] }',
  '      - { at: 20s, items: [{ key: grace, viewerCount: 999 }] }',
  '    expect: []',
);

const CONFIG = lines(
  '# yaml-language-server: $schema=.vscode/fanfare.schema.json',
  '# More accounts, default accounts, budgets, and permissions in Discord. All keys are optional.',
  '# Examples (remove the # to use them):',
  '#',
  '# defaults:',
  '#   social: [bluesky, mastodon] # the accounts for posts without `as`',
  '# discord:',
  '#   zone: Europe/Berlin',
  '#   roles:',
  '#     operate: [Moderators] # members who can control rules and deliveries',
);

const ENVIRONMENT = lines(
  '# Copy this file to .env. Without accounts, Fanfare runs on the sandbox.',
  '# `npx fanfare auth` writes these variables for you, for example `npx fanfare auth twitch`.',
  '',
  '# Applications that read streams',
  ...credentialsOf('streaming'),
  '',
  '# Accounts that post',
  ...credentialsOf('social'),
  '',
  '# The bot and its server',
  '# DISCORD_TOKEN=',
  '# DISCORD_GUILD_ID=',
  '',
  '# A model for /ask, on an OpenAI-compatible endpoint',
  '# ASSISTANT_API_KEY=',
  '# ASSISTANT_MODEL=',
  '# ASSISTANT_URL=https://api.openai.com/v1',
  '',
  '# The page and the state',
  '# PORT=8080',
  '# FANFARE_DATA=./data',
  '# LOG_LEVEL=info',
);

/** The variables that `fanfare auth` asks for. */
function credentialsOf(client: ClientName): readonly string[] {
  const definitions = platformsFor(client).map((platform) => definitionOf({ platform }));
  return definitions.flatMap(({ setup }) => (setup?.fields ?? []).map(({ variable }) => `# ${variable}=`));
}

function lines(...all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
