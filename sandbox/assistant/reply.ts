import type { Broadcast, World, WorldGame } from '../world/world.ts';
import type { ChatMessage } from './chat-message.ts';
import { gameNamedIn } from './intent.ts';
import { draftedRule } from './rule-draft.ts';

export interface Surroundings {
  readonly world: Pick<World, 'games' | 'people' | 'liveAt'>;
  readonly nowMs: number;
}

const SHOWN = 3;
const viewers = new Intl.NumberFormat('en', { notation: 'compact' });

/** The scripted answer to the last message. The conversation and the instant determine it. */
export function replyTo(messages: readonly ChatMessage[], { world, nowMs }: Surroundings): string {
  const questions = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const earlier = questions.slice(0, -1);
  const asked = (questions.at(-1) ?? '').toLowerCase();
  const words: ReadonlySet<string> = new Set(asked.match(/[\p{L}\p{N}_]+/gu));
  const has = (...wanted: readonly string[]): boolean => wanted.some((word) => words.has(word));

  if (has('i', 'we') && has('ask', 'asked', 'say', 'said')) return recall(earlier);
  if (has('rule', 'rules', 'yaml')) return ruleExample;
  const live = world.liveAt(nowMs);
  const game = gameNamedIn(asked, world.games);
  if (game) return aboutGame(game, live);
  const person = live.find(({ person: { handle, displayName } }) => has(handle, displayName.toLowerCase()));
  if (person) return `Yes: ${line(person)}`;
  if (has('live', 'stream', 'streams', 'streaming', 'streamers', 'online', 'watch')) {
    return aboutEverything(live, has('all', 'every', 'everyone', 'everybody') ? live.length : SHOWN);
  }
  return chatReply(has('hi', 'hello', 'hey'), earlier);
}

function recall(earlier: readonly string[]): string {
  if (earlier.length === 0) return 'Nothing yet: this is the first thing that you ask me here.';
  return `You asked me ${count(earlier.length, 'question')} before this one. The last was: “${earlier.at(-1)}”.`;
}

function aboutGame(game: WorldGame, live: readonly Broadcast[]): string {
  const streams = live.filter(({ game: { id } }) => id === game.id);
  if (streams.length === 0) return `No one streams ${game.name} at the moment. Ask me again later!`;
  return `${count(streams.length, 'channel')} ${streams.length === 1 ? 'is' : 'are'} live with ${game.name}. Most watched:\n\n${list(streams.slice(0, SHOWN))}`;
}

function aboutEverything(live: readonly Broadcast[], shown: number): string {
  return `${count(live.length, 'channel')} live right now. Most watched:\n\n${list(live.slice(0, shown))}\n\nName a game, and I look there.`;
}

function chatReply(greeted: boolean, earlier: readonly string[]): string {
  const start = greeted ? 'Hello! ' : '';
  const memory = earlier.length === 0 ? '' : ` I remember what you asked before, too: “${earlier.at(-1)}”.`;
  return `${start}I am the assistant of the sandbox and know one thing well: who is live. Ask me “who is live?”, or name a game or a streamer.${memory}`;
}

const ruleExample = `A rule is one YAML file. This rule announces a stream:

\`\`\`yaml
${draftedRule({ kind: 'rule', about: { kind: 'person', name: 'ada' }, words: '' })}\`\`\`

Put the file into your rules folder and run \`npx fanfare check\`.`;

function list(streams: readonly Broadcast[]): string {
  return streams.map((stream) => `- ${line(stream)}`).join('\n');
}

function line({ person, game, title, viewerCount }: Broadcast): string {
  return `**${person.displayName}** plays ${game.name} for ${viewers.format(viewerCount)} viewers: ${title}`;
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
