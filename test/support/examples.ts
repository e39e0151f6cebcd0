import { readSources } from '../../docs/generator/sources.ts';
import { socialTopics } from '#src/clients/social/social.ts';
import { streamingTopics } from '#src/clients/streaming/bot.ts';
import type { Declared } from '#src/clients/operation/declared.ts';

/** The example in the TSDoc of one operation. */
export interface Example {
  readonly client: 'bot' | 'social';
  readonly operation: string;
  readonly code: string;
}

/** The example of every operation of both clients; undefined: it has none. */
export function allExamples(root: string): readonly (Omit<Example, 'code'> & { readonly code: string | undefined })[] {
  return [
    ...examplesOf('bot', streamingTopics, readSources(root, 'src/clients/streaming')),
    ...examplesOf('social', socialTopics, readSources(root, 'src/clients/social')),
  ];
}

function examplesOf(
  client: Example['client'],
  topics: readonly Readonly<Record<string, { readonly declared: unknown }>>[],
  sources: ReturnType<typeof readSources>,
): readonly (Omit<Example, 'code'> & { readonly code: string | undefined })[] {
  const declared = new Set(topics.flatMap((topic) => Object.values(topic)).map((method) => method.declared as Declared)); // a topic exports operations only
  return [...declared].map((operation) => ({ client, operation: operation.name, code: sources.sourceOf(operation).doc.example }));
}

/** The types of the variables that examples have beside their client, by name. */
const DECLARED = {
  post: 'social.Post',
  poll: 'social.Post',
  message: 'social.Message',
  scheduled: 'social.ScheduledPost',
  runners: 'social.UserList',
  id: 'string',
  conversation: 'social.Conversation',
  print: '(...words: unknown[]) => void',
};

/** A module with a function for each example, which contains its unchanged code. */
export function exampleModule(root: string, examples: readonly Example[]): string {
  const types = { ...DECLARED, bot: 'Bot', client: 'SocialAsync' };
  const functions = examples.map(({ operation, client, code }) => {
    const assistant = /Assistant(Conversation|Response)$/.test(operation);
    const declared = Object.keys(DECLARED).filter((name) => new RegExp(`\\b${name}\\b`).test(code));
    const taken = [
      client === 'bot' ? 'bot' : 'client: social',
      ...declared.map((name) => (name === 'post' && operation === 'votePoll' ? 'poll: post' : name)),
    ];
    const setting = assistant ? `Omit<Setting, 'conversation'> & { readonly conversation: string }` : 'Setting';
    return `export async function ${client}_${operation}({ ${taken.join(', ')} }: ${setting}): Promise<void> {\n  {\n${code.replaceAll(/^/gm, '    ')}\n  }\n}\n`;
  });
  return [
    `import type { Bot } from '${root}/src/clients/streaming/bot.ts';`,
    `import type { SocialAsync } from '${root}/src/clients/social/social.ts';`,
    `import type * as social from '${root}/src/clients/social/index.ts';`,
    `import { HOME_TIMELINE_TYPE_FOLLOWING, Language } from '${root}/src/clients/social/index.ts';`,
    `void [HOME_TIMELINE_TYPE_FOLLOWING, Language];`,
    `export interface Setting {\n${Object.entries(types)
      .map(([name, type]) => `  readonly ${name}: ${type};`)
      .join('\n')}\n}`,
    ...functions,
  ].join('\n');
}
