import { anchorOf, code, page, table } from '../markdown.ts';
import { endpointName, endpointSection } from './endpoint-section.ts';
import type { AnsweredGroup } from './run-examples.ts';
import { CONFIGURATION, ERRORS, INTRODUCTION, LIMITS, PAGES } from './sandbox-texts.ts';

/** What the page shows of the sandbox. */
export interface SandboxReference {
  readonly groups: readonly AnsweredGroup[];
  /** The kinds of faults with their effects. */
  readonly faults: Readonly<Record<string, string>>;
  readonly world: {
    readonly streamers: readonly { readonly handle: string; readonly platforms: readonly string[]; readonly games: readonly string[] }[];
    readonly games: readonly string[];
    readonly servers: readonly {
      readonly name: string;
      readonly locale: string;
      readonly channels: readonly { readonly name: string; readonly kind: string; readonly hidden: boolean }[];
    }[];
  };
}

/** The endpoints on pages of their own, by the names of the groups. All others are on the main page. */
const OTHER_PAGES = [
  {
    file: 'sandbox-discord.md',
    title: 'Sandbox: Discord',
    about: 'The requests on this page change the simulated Discord: messages, commands, buttons, permissions and connections.',
    groups: ['Discord'],
  },
  {
    file: 'sandbox-networks.md',
    title: 'Sandbox: platforms',
    about:
      'The requests on this page change the other simulated platforms: their accounts, tokens, limits and posts. X, Mastodon, Bluesky and YouTube run in `fanfare sandbox` and in tests, not in `fanfare start`.',
    groups: ['The social platform', 'Feeds', 'Twitch and Kick', 'X', 'Mastodon', 'Bluesky'],
  },
] as const;

/** The reference of the sandbox and its control API, by file name. */
export function sandboxPages({ groups, faults, world }: SandboxReference): readonly (readonly [name: string, text: string])[] {
  const fileOf = (title: string): string => OTHER_PAGES.find((other) => other.groups.some((name) => name === title))?.file ?? '';
  const sections = (chosen: readonly AnsweredGroup[]): readonly string[] =>
    chosen.flatMap(({ title, endpoints }) => [
      `## ${title}`,
      ...endpoints.flatMap((endpoint) => [
        ...endpointSection(endpoint),
        endpoint.path === '/faults' && endpoint.body ? faultTable(faults) : '',
      ]),
    ]);
  const main = page(
    { title: 'Sandbox', order: 84 },
    INTRODUCTION,
    '## Start and configure',
    CONFIGURATION,
    '## The simulated world',
    worldText(world),
    '## Pages',
    PAGES,
    '## What the sandbox does not simulate',
    LIMITS,
    '## Control API',
    ERRORS,
    table(
      ['endpoint', 'effect'],
      groups.flatMap(({ title, endpoints }) =>
        endpoints.map((endpoint) => {
          const name = endpointName(endpoint);
          return [`[\`${name}\`](${fileOf(title)}#${anchorOf(name)})`, endpoint.summary];
        }),
      ),
    ),
    ...sections(groups.filter(({ title }) => fileOf(title) === '')),
  );
  const others = OTHER_PAGES.map(({ file, title, about }, index) => {
    const chosen = groups.filter((group) => fileOf(group.title) === file);
    return [
      file,
      page(
        { title, order: 85 + index },
        about,
        `For the start, the errors and all endpoints, see [Sandbox](sandbox.md#control-api).`,
        ...sections(chosen),
      ),
    ] as const;
  });
  return [['sandbox.md', main], ...others];
}

function worldText({ streamers, games, servers }: SandboxReference['world']): string {
  return [
    'Every sandbox has the same games, servers and regular streamers. The seed determines the other streamers and when each stream starts and ends.',
    table(
      ['streamer', 'platforms', 'usual games'],
      streamers.map(({ handle, platforms, games: played }) => [code(handle), platforms.join(', '), played.join(', ')]),
    ),
    table(
      ['server', 'language', 'channels'],
      servers.map(({ name, locale, channels }) => [
        name,
        code(locale),
        channels
          .map(({ name: channel, kind, hidden }) => {
            const notes = [...(kind === 'text' ? [] : [kind]), ...(hidden ? ['only for moderators'] : [])];
            return `#${channel}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
          })
          .join(', '),
      ]),
    ),
    'The bot of Fanfare is a member of the first server. The second server adds the bot when Fanfare uses the server for the first time. In both servers, the first ' +
      'member is the owner, and the first two members are moderators: `ada` and `grace` in the first server.',
    `The games are ${games.join(', ')}.`,
  ].join('\n\n');
}

function faultTable(faults: SandboxReference['faults']): string {
  const rows = Object.entries(faults).map(([kind, effect]) => [code(kind), effect]);
  return `The kinds of faults:\n\n${table(['kind', 'effect'], rows)}`;
}
