import { itemsIn, lineOf, type ResultItem } from './tool-results.ts';
import { replyTo, type Surroundings } from './reply.ts';
import { draftedRule, testsOf } from './rule-draft.ts';
import type { ChatMessage } from './chat-message.ts';
import { intentOf, type Intent } from './intent.ts';

/** A tool call of the model. */
export interface Use {
  readonly name: string;
  readonly input: object;
}

const SHOWN = 3;

/** The next step in a conversation with tools: a text or a tool call. */
export function nextStep(messages: readonly ChatMessage[], tools: ReadonlySet<string>, surroundings: Surroundings): string | Use {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const intent = intentOf(messages[asked]?.content ?? '', surroundings.world);
  const uses = messages.slice(asked + 1).flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.name));
  const results = messages.slice(asked + 1).flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
  const [looked, drafted] = [uses.findIndex((name) => !name.startsWith('draft_')), uses.findIndex((name) => name.startsWith('draft_'))];

  if (drafted >= 0) return aboutDraft(intent, results[drafted] ?? '');
  const items = looked >= 0 ? itemsIn(results[looked] ?? '') : undefined;
  if (looked >= 0 && !items) return 'I could not read the result. Ask me again in a moment.';
  const wanted = looked < 0 ? lookUp(intent) : undefined;
  if (wanted && tools.has(wanted.name)) return wanted;
  if (intent.kind === 'post' && tools.has('draft_post')) return { name: 'draft_post', input: { text: postText(intent, items) } };
  if (intent.kind === 'rule' && tools.has('draft_rule')) {
    return { name: 'draft_rule', input: { rule: draftedRule(intent), tests: testsOf(intent) } };
  }
  return items ? aboutItems(intent, items) : replyTo(messages, surroundings);
}

/** The tool call that reads the data for an answer. */
function lookUp({ kind, about }: Intent): Use | undefined {
  if (kind === 'rule' || !about) return undefined;
  switch (about.kind) {
    case 'game':
      return { name: 'streaming_getGameStreams', input: { game: about.name } };
    case 'person':
      return { name: 'streaming_getStreams', input: { users: [about.name] } };
    case 'posts':
      return { name: 'social_getPosts', input: { user: about.name } };
    case 'trends':
      return { name: 'social_getTrends', input: {} };
    case 'live':
      return { name: 'streaming_getTopStreams', input: {} };
  }
}

function aboutItems({ about }: Intent, items: readonly ResultItem[]): string {
  if (items.length === 0) return `There is nothing${nameOf(about)} at the moment. Ask me again later.`;
  return `${headOf(about)}:\n\n${items
    .slice(0, SHOWN)
    .map((item) => `- ${lineOf(item)}`)
    .join('\n')}`;
}

function nameOf(about: Intent['about']): string {
  return about && 'name' in about ? ` of ${about.name}` : '';
}

function headOf(about: Intent['about']): string {
  switch (about?.kind) {
    case 'game':
      return `Most watched in ${about.name} right now`;
    case 'person':
      return `${about.name} is live`;
    case 'posts':
      return `What ${about.name} posted last`;
    case 'trends':
      return 'People talk about';
    default:
      return 'Most watched right now';
  }
}

function postText({ about, words }: Intent, items: readonly ResultItem[] | undefined): string {
  const [first] = items ?? [];
  if (!first?.owner)
    return about && 'name' in about ? `Have you seen ${about.name} today?` : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return `${first.owner.displayName} is live${first.game ? ` with ${first.game.name}` : ''}: ${first.title ?? ''} ${first.url ?? ''}`.trim();
}

function aboutDraft({ kind }: Intent, result: string): string {
  const what = kind === 'rule' ? 'rule' : 'post';
  if (!/\bStored as\b/u.test(result)) return `The draft of the ${what} was rejected:\n\n\`\`\`\n${result}\n\`\`\``;
  const end =
    kind === 'rule' ? 'It runs after a person with permission turns it on.' : 'It is sent after a person with permission sends it.';
  return `Here is the draft of the ${what}. ${end}`;
}
