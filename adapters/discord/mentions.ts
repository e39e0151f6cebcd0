import { shorten } from '#src/operation/text/shorten.ts';
import { forRefusedPart } from '#src/operation/part.ts';
import { missing } from './faults.ts';
import type { NamedThings } from './named.ts';

/** Whom a message pings. */
export interface Mentions {
  /** Discord's `allowed_mentions`: nobody else is pinged, whatever the text says. */
  readonly allowed: object;
  /** The text, with a mention of everybody whom it does not mention yet at its start; its own end makes room for them. */
  into(content: string | undefined): string | undefined;
}

interface Mention {
  readonly list: 'parse' | 'roles' | 'users';
  readonly id: string;
  readonly mark: string;
}

const SNOWFLAKE = /^\d{15,}$/;
/** The longest message that Discord takes. */
const MOST_CHARACTERS = 2000;

/** Those whom the author of a rule names: a role by name or id, a user by id, `everyone` or `here`. */
export async function toMentions(names: readonly string[] = [], roles: NamedThings, signal?: AbortSignal): Promise<Mentions> {
  const mentions: Mention[] = [];
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) !== index) continue;
    mentions.push(await forRefusedPart({ parameter: 'mention', index }, toMention(name.replace(/^@/, ''), roles, signal)));
  }
  const idsIn = (wanted: Mention['list']): readonly string[] => mentions.filter(({ list }) => list === wanted).map(({ id }) => id);

  return {
    allowed: { parse: idsIn('parse').slice(0, 1), roles: idsIn('roles'), users: idsIn('users'), replied_user: false },
    into(content = '') {
      const marks = mentions.map(({ mark }) => mark).filter((mark) => !content.includes(mark));
      const lead = marks.map((mark) => `${mark} `).join('');
      return (lead + shorten(content, MOST_CHARACTERS - lead.length)).trimEnd() || undefined;
    },
  };
}

async function toMention(name: string, roles: NamedThings, signal: AbortSignal | undefined): Promise<Mention> {
  if (name === 'everyone' || name === 'here') return { list: 'parse', id: 'everyone', mark: `@${name}` };
  const role = await roles.find(name, signal);
  if (role) return { list: 'roles', id: role.id, mark: `<@&${role.id}>` };
  if (SNOWFLAKE.test(name)) return { list: 'users', id: name, mark: `<@${name}>` };
  throw missing(`The Discord server has no role "${name}". A user is mentioned by id, as 123456789012345678.`);
}
